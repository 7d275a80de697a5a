import type { Output } from "../../../api/operation-types.ts";
import { useChange } from "../../../api/use-change.ts";
import { Button } from "../../../components/button.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Note } from "../../../components/note.tsx";

type Reason = NonNullable<Output<"retranscribeScript">["reason"]>;

const because: Record<Reason, string> = {
  empty: "No words were found this time",
  shorterAudio: "Less of the reel was recognized this time",
  notFewerGaps: "The new transcript is missing just as much",
  fewerWords: "The new transcript has fewer words",
};

/** Offered where the recognizer is newer than the transcript; then says what came of it. */
export function TranscribeAgain({ script }: { readonly script: Output<"getScript"> }) {
  const { mutate, data, error, isPending } = useChange("retranscribeScript", {
    stale: ["getScript", "searchMyScripts"],
  });
  const start = (): void => mutate({ id: script.id });
  if (data !== undefined)
    return (
      <Note icon="check" live>
        {data.replaced
          ? "Transcribed again. This is the new transcript."
          : `${data.reason === undefined ? "The old transcript is better" : because[data.reason]}, so we kept the old one.`}
      </Note>
    );
  if (!script.retranscribable && !error && !isPending) return undefined;
  return (
    <>
      {error && !isPending && (
        <ErrorNote error={error} onRetry={start}>
          Your transcript is unchanged.
        </ErrorNote>
      )}
      {(script.retranscribable || isPending) && (
        <Note icon="wave">
          <div className="again">
            <p>Our speech recognition has improved since this transcript was made. Trying again is free.</p>
            <Button kind="quiet" size="small" busy={isPending ? "Transcribing…" : undefined} onClick={start}>
              Transcribe again
            </Button>
          </div>
        </Note>
      )}
    </>
  );
}
