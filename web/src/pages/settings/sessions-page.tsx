import { useState } from "react";
import { useChange } from "../../api/use-change.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { showToast } from "../../components/toast/toast.ts";
import { counted, exactNumber } from "../../format/number.ts";
import { SessionList } from "./session-list.tsx";
import { PendingLines } from "./pending-lines.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

const focusTitle = (): void => document.querySelector<HTMLElement>("main h1")?.focus();

export function SessionsPage() {
  const { data, error, refetch } = useOperation("listSessions", {}, { staleTime: 0 });
  const [asking, setAsking] = useState(false);
  const end = useChange("revokeSession", {
    stale: ["listSessions"],
    onDone: () => {
      showToast("Session ended");
      focusTitle();
    },
  });
  const endOthers = useChange("revokeOtherSessions", {
    stale: ["listSessions"],
    onDone: ({ revoked }) => {
      setAsking(false);
      showToast(`Ended ${counted(revoked, "other session", "other sessions")}`);
      requestAnimationFrame(focusTitle);
    },
  });
  const others = data?.sessions.filter(({ current }) => !current).length ?? 0;
  return (
    <>
      <PageHeader
        title="Sessions"
        sub="Browsers you’re signed in with, and connected extensions. End any you don’t recognize."
      >
        <Button kind="quiet" disabled={others === 0} onClick={() => setAsking(true)}>
          End all others
        </Button>
      </PageHeader>
      <SettingsTabs />
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <ErrorNote error={end.error} />
      {data ? (
        <SessionList
          sessions={data.sessions}
          ending={end.isPending ? end.variables.id : undefined}
          onEnd={(id) => end.mutate({ id })}
        />
      ) : (
        !error && <PendingLines count={2} label="Loading the sessions" />
      )}
      {data && others === 0 && <p className="hint">No other sessions.</p>}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        insistent={endOthers.isPending}
        title={others === 1 ? "End the other session?" : `End ${exactNumber(others)} other sessions?`}
      >
        <p className="subtitle">
          You’ll be signed out everywhere else, and extensions will be disconnected. API keys keep working.
        </p>
        <ErrorNote error={endOthers.error} onRetry={() => endOthers.mutate({})} />
        <DialogButtons>
          <Button kind="quiet" disabled={endOthers.isPending} onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button kind="danger" busy={endOthers.isPending ? "Ending…" : undefined} onClick={() => endOthers.mutate({})}>
            {others === 1 ? "End it" : "End them"}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
