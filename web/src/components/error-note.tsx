import { useEffect, useState } from "react";
import { CallError } from "@reelscript/client/core";
import { duration } from "../format/duration.ts";
import { Note } from "./note.tsx";

interface Props {
  readonly error: Error | null | undefined;
  /** Tries again; offered only where that may help. */
  readonly onRetry?: (() => void) | undefined;
  /** What else is to be said: "You weren’t charged." */
  readonly children?: string | undefined;
}

/** What happened, in place; and when it may work again. Nothing when there is no error. */
export function ErrorNote({ error, onRetry, children }: Props) {
  const wait = useSecondsLeft(error instanceof CallError ? error : undefined);
  if (!error) return undefined;
  const known = error instanceof CallError;
  const mayRetry = onRetry !== undefined && (!known || error.retryable);
  const passes = known && (error.code === "inProgress" || error.code === "rateLimited");
  return (
    <Note kind={passes ? "warn" : "bad"} icon={passes ? "clock" : "warn"} live>
      {known ? error.message : "Something went wrong on this page."} {children}{" "}
      {known && error.code === "internalError" && error.requestId !== undefined && (
        <>
          Request id: <code className="breaks-anywhere">{error.requestId}</code>{" "}
        </>
      )}
      {mayRetry &&
        (wait > 0 ? (
          // Not read out each second.
          <span aria-live="off">Try again in {duration(wait)}.</span>
        ) : (
          <button type="button" className="link" onClick={onRetry}>
            Try now
          </button>
        ))}
    </Note>
  );
}

function useSecondsLeft(error: CallError | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const until = Date.now() + (error?.retryAfter ?? 0) * 1_000;
    const count = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
    count();
    if (error?.retryAfter === undefined) return undefined;
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}
