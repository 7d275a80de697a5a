import { useState } from "react";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog, focusTitle } from "../../components/dialog.tsx";
import { ErrorNote, PendingLines, PageHeader } from "../../components/page.tsx";
import { showToast } from "../../components/toast.tsx";
import { counted, exactNumber } from "../../format.ts";
import { SettingsRow, SettingsTabs } from "./settings-tabs.tsx";
import type { Session } from "@reelscript/contract";
import { Chip, Moment } from "../../components/inline.tsx";

export function SessionsPage() {
  const { data, error, refetch } = useOperation("listSessions", {}, { staleTime: 0 });
  const [asking, setAsking] = useState(false);
  const endOthers = useChange("revokeOtherSessions", {
    stale: ["listSessions"],
    onDone: ({ revoked }) => {
      setAsking(false);
      showToast(`Ended ${counted(revoked, "other session", "other sessions")}`);
      focusTitle();
    },
  });
  const others = data?.sessions.filter(({ current }) => !current).length ?? 0;
  return (
    <>
      <PageHeader
        title="Sessions"
        sub="Browsers you’re signed in with, and connected extensions. End any you don’t recognize."
      >
        {others > 0 && <Button onClick={() => setAsking(true)}>End all others</Button>}
      </PageHeader>
      <SettingsTabs />
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {data ? (
        <div>
          <SessionList sessions={data.sessions} />
          {others === 0 && <p className="hint">You’re signed in nowhere else.</p>}
        </div>
      ) : (
        !error && <PendingLines count={2} label="Loading the sessions" />
      )}
      {asking && (
        <ConfirmDialog
          title={others === 1 ? "End the other session?" : `End ${exactNumber(others)} other sessions?`}
          change={endOthers}
          onClose={() => setAsking(false)}
          onConfirm={() => endOthers.mutate({})}
          keep="Cancel"
          action={others === 1 ? "End it" : "End them"}
          busy="Ending…"
        >
          You’ll be signed out everywhere else, and extensions will be disconnected. API keys keep working.
        </ConfirmDialog>
      )}
    </>
  );
}

const nameOf = (kind: Session["kind"], browser: string | null): string =>
  kind === "browser" ? (browser ?? "Unknown browser") : `Extension${browser === null ? "" : ` in ${browser}`}`;

function SessionList({ sessions }: { readonly sessions: readonly Session[] }) {
  const end = useChange("revokeSession", {
    stale: ["listSessions"],
    onDone: () => {
      showToast("Session ended");
      focusTitle();
    },
  });
  return (
    <>
      <ErrorNote error={end.error} />
      <ul className="sessions" aria-label="Sessions">
        {sessions.map(({ id, kind, browser, createdAt, lastUsedAt, current }) => (
          <SettingsRow
            key={id}
            name={nameOf(kind, browser)}
            state={current && <Chip kind="ok">This session</Chip>}
            facts={
              <>
                <span>
                  {kind === "extension" ? "Connected" : "Signed in"}: <Moment at={createdAt} />
                </span>
                <span>
                  Last used: <Moment at={lastUsedAt} />
                </span>
              </>
            }
          >
            {!current && (
              <Button
                kind="danger"
                size="small"
                busy={end.isPending && end.variables.id === id && (kind === "extension" ? "Disconnecting…" : "Ending…")}
                onClick={() => end.mutate({ id })}
              >
                {kind === "extension" ? "Disconnect" : "End"}
                <span className="visually-hidden"> {nameOf(kind, browser)}</span>
              </Button>
            )}
          </SettingsRow>
        ))}
      </ul>
    </>
  );
}
