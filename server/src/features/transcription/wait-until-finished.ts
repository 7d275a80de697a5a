import { ServiceError } from "@reelscript/contract";
import type { Store, TranscriptionState } from "../../ports.ts";
import type { HandlerContext } from "../../run.ts";

type Unfinished = Extract<TranscriptionState, { state: "queued" | "running" }>;
type Finished = Exclude<TranscriptionState, Unfinished>;

const pollMilliseconds = 1_000;

/** `undefined` when it takes longer than the caller can wait. The work goes on in any case. */
export async function waitUntilFinished(
  store: Store,
  transcriptionId: string,
  {
    signal,
    deadline,
    onState,
  }: Pick<HandlerContext, "signal" | "deadline"> & { readonly onState: (state: Unfinished) => void },
): Promise<Finished | undefined> {
  let wake = (): void => {};
  const unsubscribe = store.subscribe("finished", () => wake());
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort);
  try {
    for (;;) {
      if (signal.aborted)
        throw signal.reason instanceof ServiceError
          ? signal.reason
          : new ServiceError("inProgress", "The call was given up; the transcription goes on.");
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const found = await store.transcriptions.find(transcriptionId);
      if (found === undefined) throw new Error(`transcription ${transcriptionId} is gone`);
      if (found.state === "done" || found.state === "failed") return found;
      onState(found);
      const left = deadline - performance.now();
      if (left <= 0) return undefined;
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(pollMilliseconds, left))));
      await Promise.race([woken, timeUp]);
      clearTimeout(timer);
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", onAbort);
  }
}

/** For people who wait. */
export function progressText({ state, progress }: Unfinished): string {
  if (state === "queued") return "Waiting for a free transcriber";
  return progress === 0 ? "Fetching the reel" : `Transcribing, ${Math.floor(progress * 100)} % done`;
}
