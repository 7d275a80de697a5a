import { useState } from "react";
import { forgetAccount } from "../../api/one-person.ts";
import type { Output } from "@reelscript/client/core";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Input } from "../../components/field.tsx";
import { planName } from "../../format/plan-name.ts";
import { isSameConfirmation } from "@reelscript/contract/values";

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
  const what = account.email ? "email address" : "account's id";
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
  return (
    <Dialog open={open} onClose={close} title="Delete your account?" insistent={going}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Consequences billing={billing} />
        <Input
          label={
            <>
              Type <bdi>{wanted}</bdi> to confirm
            </>
          }
          error={
            wrong && !isSameConfirmation(typed, wanted) ? `That isn’t your ${what}. Nothing was deleted.` : undefined
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
            Delete account
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function Consequences({ billing }: { readonly billing: Output<"getBilling"> | undefined }) {
  const paid = billing?.status === "active" || billing?.status === "pastDue";
  return (
    <div className="stack tight">
      <h3>Deleted immediately and permanently</h3>
      <ul className="points">
        <li>Your library and all its scripts</li>
        <li>Your reports</li>
        <li>Your bio page, its address and its visit counts</li>
        <li>Your keys, which stop working, and every session</li>
        {paid && <li>Your plan, {planName(billing.plan)}: it ends today and you won’t be charged again</li>}
      </ul>
      <h3>Kept</h3>
      <ul className="points">
        <li>Anonymous transcripts of public reels, in the shared cache</li>
        <li>A fingerprint of your sign-in, for 24 months, so free transcriptions can’t be claimed twice</li>
        {billing?.manageable && <li>Invoices, at the payment company</li>}
      </ul>
    </div>
  );
}
