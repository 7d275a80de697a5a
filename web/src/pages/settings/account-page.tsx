import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { downloadAddress } from "../../api/call.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button, AnchorButton } from "../../components/button.tsx";
import { ErrorNote } from "../../components/note.tsx";
import { Moment } from "../../components/inline.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { planName } from "../../format/name.ts";
import { ThemeChoice } from "../../shell/theme.tsx";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

export function AccountPage() {
  const { data, error, refetch } = useOperation("getSession", {});
  const [deleting, setDeleting] = useState(false);
  const account = data?.account;
  return (
    <>
      <PageHeader title="Account" sub="Your profile and data." />
      <SettingsTabs />
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <section className="stack tight" aria-busy={!account && !error}>
        <h2>You</h2>
        <dl className="person">
          <dt>Name</dt>
          <dd>{account && <bdi>{account.name ?? "Not shared by your sign-in provider"}</bdi>}</dd>
          <dt>Email</dt>
          <dd>{account && <bdi>{account.email || "Not shared by your sign-in provider"}</bdi>}</dd>
          <dt>Member since</dt>
          <dd>{account && <Moment at={account.createdAt} style="long" />}</dd>
          <dt>Plan</dt>
          <dd>
            {account && (
              <>
                {planName(account.plan)}. <Link to="/usage">Usage and plan</Link>
              </>
            )}
          </dd>
        </dl>
        <p className="hint">Your name and email come from your sign-in provider. Change them there.</p>
      </section>
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
          <AnchorButton
            kind="quiet"
            icon="download"
            href={downloadAddress("exportAccount", {}, { format: "json" })}
            download
          >
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
