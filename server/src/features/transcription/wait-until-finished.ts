import { ServiceError } from "@reelscript/contract";
import type { Store, TranscriptionState } from "../../ports.ts";
import type { HandlerContext } from "../../run/handler.ts";
import { errorOf } from "./describe-transcription.ts";

type Unfinished = Extract<TranscriptionState, { state: "queued" | "running" }>;
type Finished = Exclude<TranscriptionState, Unfinished>;

/** `undefined` when it takes longer than the caller can wait. The work continues in any case. */
export async function waitUntilFinished(
  store: Pick<Store, "watchTranscription">,
  transcriptionId: string,
  {
    signal,
    deadline,
    onState,
  }: Pick<HandlerContext, "signal" | "deadline"> & { readonly onState: (state: Unfinished) => void },
): Promise<Finished | undefined> {
  let unwatch = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  try {
    return await new Promise<Finished | undefined>((resolve, reject) => {
      onAbort = () =>
        reject(
          signal.reason instanceof ServiceError
            ? signal.reason
            : new ServiceError("inProgress", "The request was canceled; the transcription continues.", {
                reason: "transcriptionRunning",
              }),
        );
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort);
      timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - performance.now()));
      unwatch = store.watchTranscription(transcriptionId, (found) => {
        try {
          if (found === undefined) reject(new Error(`transcription ${transcriptionId} is gone`));
          else if (found.state === "done" || found.state === "failed") resolve(found);
          else onState(found);
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  } finally {
    unwatch();
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** The same for a caller who waits for the result: throws what it failed with, and `late` when it takes longer. */
export async function waitUntilDone(
  store: Pick<Store, "watchTranscription">,
  transcriptionId: string,
  { signal, deadline, onProgress }: Pick<HandlerContext, "signal" | "deadline" | "onProgress">,
  late: ServiceError,
): Promise<void> {
  const finished = await waitUntilFinished(store, transcriptionId, {
    signal,
    deadline,
    onState: (state) => onProgress?.({ done: state.progress, message: progressText(state) }),
  });
  if (finished === undefined) throw late;
  if (finished.state === "failed") throw errorOf(finished.failure);
}

/** For people who wait. */
function progressText({ state, progress, waits }: Unfinished): string {
  if (state === "queued") return "Waiting for a free transcriber";
  if (waits) return "Waiting for its turn at the platform";
  return progress === 0 ? "Fetching the reel" : `Transcribing, ${Math.floor(progress * 100)}% done`;
}
