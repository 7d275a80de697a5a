import { useOperation } from "../../api/use-operation.ts";
import { Moment } from "../../components/inline.tsx";
import { EmptyState, ErrorNote, PendingLines } from "../../components/page.tsx";
import { SettingsRow } from "../settings/settings-tabs.tsx";

const shownEntries = 100;

const actions: Readonly<Record<string, string>> = {
  takeDownReel: "Reel taken down",
  allowReel: "Reel allowed again",
  suspendAccount: "Account suspended",
  unsuspendAccount: "Account unsuspended",
  takeDownPage: "Bio page taken down",
  restorePage: "Bio page restored",
  changePlan: "Plan changed",
  inviteAccount: "Account invited",
  resetPassword: "New password offered",
  cancelTranscription: "Transcription canceled",
  retryTranscription: "Transcription retried",
  drainQueue: "Queue drained",
  resumeQueue: "Queue resumed",
};

/** The last decisions of all operators, whichever way they took. */
export function AuditPart() {
  const { data, error, refetch } = useOperation("listAudit", { limit: shownEntries }, { staleTime: 0 });
  if (data === undefined)
    return error ? (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    ) : (
      <PendingLines count={5} label="Loading the audit" />
    );
  if (data.entries.length === 0)
    return (
      <EmptyState title="Nothing yet">What operators decide, here or on the command line, appears here.</EmptyState>
    );
  return (
    <section className="stack tight" aria-label="Audit">
      <ul className="sessions" aria-label="Decisions">
        {data.entries.map(({ at, by, action, subject, email, reason }, index) => (
          <SettingsRow
            key={`${at} ${index}`}
            // A newer release may have others.
            name={actions[action] ?? action}
            facts={
              <>
                <span className="breaks-anywhere">{email === null ? subject : subject.replace(/^acc_\w+/, email)}</span>
                <span className="breaks-anywhere">
                  By <bdi>{by}</bdi>
                </span>
                <span className="breaks-anywhere">
                  Why: <bdi>{reason}</bdi>
                </span>
              </>
            }
          >
            <span className="meta">
              <Moment at={at} />
            </span>
          </SettingsRow>
        ))}
      </ul>
      {data.entries.length === shownEntries && (
        <p className="hint">
          The last {shownEntries}. <code>reelscript audit list</code> shows up to 1,000.
        </p>
      )}
    </section>
  );
}
