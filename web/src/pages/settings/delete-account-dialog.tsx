import { useState } from "react";
import { forgetAccount } from "../../api/one-person.ts";
import type { Output } from "../../api/operation-types.ts";
import { useChange } from "../../api/use-change.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Input } from "../../components/field.tsx";
import { planName } from "../../format/plan-name.ts";
import { isSameConfirmation } from "./is-same-confirmation.ts";

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly account: Output<"getSession">["account"];
}

export function DeleteAccountDialog({ open, onClose, account }: Props) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  const { data: billing } = useOperation("getBilling", {}, { enabled: open });
  const remove = useChange("deleteAccount", {
    onDone: () => {
      forgetAccount(account.id);
      // A new document, so that nothing of the account stays in memory.
      location.replace("/app/sign-in?account=deleted");
    },
  });
  const going = remove.isPending || remove.isSuccess;
  const wanted = account.email || account.id;
  const what = account.email ? "e-mail address" : "account's id";
  const close = (): void => {
    setTyped("");
    setWrong(false);
    remove.reset();
    onClose();
  };
  const submit = (): void => {
    const right = isSameConfirmation(typed, wanted);
    setWrong(!right);
    if (right && !going) remove.mutate({ confirm: typed });
  };
  const paid = billing?.status === "active" || billing?.status === "pastDue";
  return (
    <Dialog open={open} onClose={close} title="Delete your account?" insistent={going}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="stack t">
          <h3>Deleted at once and for good</h3>
          <ul className="points">
            <li>Your library, with all its scripts</li>
            <li>Your reports</li>
            <li>Your bio page, its address, and what was counted of its visits</li>
            <li>Your keys, which stop working, and every session</li>
            {paid && <li>Your plan, {planName(billing.plan)}: it ends today and is not charged again</li>}
          </ul>
          <h3>Stays</h3>
          <ul className="points">
            <li>Transcripts of public reels, in the shared cache, which knows nobody</li>
            <li>A fingerprint of your sign-in, for 24 months, so that free transcriptions are not given twice</li>
            {billing?.manageable && <li>Invoices, with the company that took the payments</li>}
          </ul>
        </div>
        <Input
          label={
            <>
              Type <bdi>{wanted}</bdi> to be sure
            </>
          }
          error={
            wrong && !isSameConfirmation(typed, wanted) ? `That is not your ${what}. Nothing was deleted.` : undefined
          }
          type="text"
          inputMode={account.email ? "email" : "text"}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          disabled={going}
          onChange={(event) => setTyped(event.target.value)}
        />
        <ErrorNote error={remove.error} onRetry={submit}>
          Nothing was deleted.
        </ErrorNote>
        <DialogButtons>
          <Button kind="quiet" disabled={going} onClick={close}>
            Keep the account
          </Button>
          <Button kind="danger" type="submit" busy={going ? "Deleting…" : undefined}>
            Delete for good
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
