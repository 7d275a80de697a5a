import { ErrorNote } from "../../components/error-note.tsx";
import { Note } from "../../components/note.tsx";
import type { useOperation } from "../../api/use-operation.ts";

interface Props {
  readonly language: string;
  /** `undefined` until the script is read, after a reload. */
  readonly transcript: string | undefined;
  readonly scriptId: string | undefined;
  readonly script: ReturnType<typeof useOperation<"getScript">>;
}

/** What is shown of a job that is done where there are no words. */
export function JobResult({ language, transcript, scriptId, script: { error, refetch } }: Props) {
  if (transcript === "" || language === "und") return <Note icon="sound">No speech found. You weren’t charged.</Note>;
  if (error?.code === "notFound") return <p className="muted">You deleted it from your library.</p>;
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (scriptId === undefined) return <p className="muted">It’s in your library.</p>;
  return (
    <span className="live waiting" aria-hidden="true">
      <span className="skeleton-bar" style={{ width: "92%" }} />
      <span className="skeleton-bar" style={{ width: "40%" }} />
    </span>
  );
}
