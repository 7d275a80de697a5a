import { useState } from "react";
import { forgetAccount } from "../../api/one-person.ts";
import type { Output } from "@reelscript/client/core";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";
import { planName } from "../../format/name.ts";
import { isSameConfirmation } from "@reelscript/contract/values";

interface Props {
  readonly onClose: () => void;
  readonly account: Output<"getSession">["account"];
}

export function DeleteAccountDialog({ onClose, account }: Props) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  const { data: billing } = useOperation("getBilling", {});
  const remove = useChange("deleteAccount", {
    onDone: () => {
      forgetAccount(account.id);
      // A new document, so that nothing of the account stays in memory.
      location.replace("/app/sign-in?account=deleted");
    },
  });
  const going = remove.isPending || remove.isSuccess;
  const wanted = account.email || account.id;
  const isRight = isSameConfirmation(typed, wanted);
  const submit = (): void => {
    setWrong(!isRight);
    if (isRight && !going) remove.mutate({ confirm: typed });
  };
  return (
    <ChangeDialog
      onClose={onClose}
      title="Delete your account?"
      change={{ isPending: going, error: remove.error }}
      unchanged="Nothing was deleted."
      onSubmit={submit}
      kind="danger"
      keep="Keep the account"
      action="Delete account"
      busy="Deleting…"
    >
      <Consequences billing={billing} />
      <Input
        label={
          <>
            Type <bdi>{wanted}</bdi> to confirm
          </>
        }
        error={
          wrong && !isRight
            ? `That isn’t your ${account.email ? "email address" : "account's id"}. Nothing was deleted.`
            : undefined
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
    </ChangeDialog>
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
