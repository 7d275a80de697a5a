import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { operationAddress } from "../../api/call.ts";
import { useOperation, useChange } from "../../api/use-operation.ts";
import { Button, AnchorButton } from "../../components/button.tsx";
import { ErrorNote, PageHeader } from "../../components/page.tsx";
import { Moment } from "../../components/inline.tsx";
import { planName } from "../../format.ts";
import { ThemeChoice } from "../../components/theme.tsx";
import { useSignInMethod } from "../../api/passwords.ts";
import { PasswordSection } from "./password-section.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";
import { forgetAccount } from "../../api/one-person.ts";
import type { Output } from "@reelscript/client/core";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";
import { isSameConfirmation } from "@reelscript/contract/values";

export function AccountPage() {
  const { data, error, refetch } = useOperation("getSession", {});
  const [deleting, setDeleting] = useState(false);
  const account = data?.account;
  const byPassword = useSignInMethod() === "password";
  const unknown = "Not shared by your sign-in provider";
  return (
    <>
      <PageHeader title="Account" sub="Your profile and data." />
      <SettingsTabs />
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <section className="stack tight" aria-busy={!account && !error}>
        <h2>You</h2>
        <dl className="person">
          {/* People who sign in by password have none. */}
          {!byPassword && (
            <>
              <dt className="semibold">Name</dt>
              <dd>{account && <bdi>{account.name ?? unknown}</bdi>}</dd>
            </>
          )}
          <dt className="semibold">Email</dt>
          <dd>{account && <bdi>{account.email || unknown}</bdi>}</dd>
          <dt className="semibold">Member since</dt>
          <dd>{account && <Moment at={account.createdAt} style="long" />}</dd>
          <dt className="semibold">Plan</dt>
          <dd>
            {account && (
              <>
                {planName(account.plan)}. <Link to="/usage">Usage and plan</Link>
              </>
            )}
          </dd>
        </dl>
        {!byPassword && <p className="hint">Your name and email come from your sign-in provider. Change them there.</p>}
      </section>
      {account && byPassword && <PasswordSection email={account.email} />}
      <section className="stack tight">
        <h2>Theme</h2>
        <div className="look">
          <ThemeChoice />
        </div>
      </section>
      <section className="stack tight">
        <h2>Your data</h2>
        <p className="subtitle">
          One JSON file with all your scripts, reports, your bio page and the names of your keys, never the keys
          themselves.
        </p>
        <div>
          <AnchorButton icon="download" href={operationAddress("exportAccount", { format: "json" })} download>
            Export as JSON
          </AnchorButton>
        </div>
      </section>
      <section className="stack tight">
        <h2>Delete account</h2>
        <p className="subtitle">Ends your plan, keys and sessions, and deletes your data. You can’t undo this.</p>
        <div>
          <Button kind="danger" disabled={!account} onClick={() => setDeleting(true)}>
            Delete account
          </Button>
        </div>
      </section>
      {account && deleting && <DeleteAccountDialog onClose={() => setDeleting(false)} account={account} />}
    </>
  );
}

interface Props {
  readonly onClose: () => void;
  readonly account: Output<"getSession">["account"];
}

function DeleteAccountDialog({ onClose, account }: Props) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  const { data: billing } = useOperation("getBilling", {});
  const remove = useChange("deleteAccount", {
    onDone: () => {
      forgetAccount(account.id);
      // Loads a new document, so that nothing of the account stays in memory.
      location.replace("/app/sign-in?account=deleted");
    },
  });
  const going = remove.isPending || remove.isSuccess;
  const phrase = account.email || account.id;
  const isRight = isSameConfirmation(typed, phrase);
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
            Type <bdi>{phrase}</bdi> to confirm
          </>
        }
        error={
          wrong && !isRight
            ? `That isn’t your ${account.email ? "email address" : "account’s id"}. Nothing was deleted.`
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
