import { ErrorNote } from "../../components/error-note.tsx";
import { Note } from "../../components/note.tsx";
import type { useOperation } from "../../api/use-operation.ts";
import { SpokenWords } from "./spoken-words.tsx";

interface Props {
  readonly language: string;
  /** `undefined` after a reload: then the script has it. */
  readonly transcript: string | undefined;
  readonly scriptId: string | undefined;
  /** Whether it was awaited here. */
  readonly arriving: boolean;
  readonly script: ReturnType<typeof useOperation<"getScript">>;
}

/** What was said. */
export function JobResult({ language, transcript, scriptId, arriving, script: { data, error, refetch } }: Props) {
  const text = transcript ?? data?.transcript;
  if (text === "" || language === "und") return <Note icon="sound">No speech found. You weren’t charged.</Note>;
  if (text !== undefined) return <SpokenWords text={text} lang={language} arriving={arriving} />;
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
