import { ServiceError } from "@reelscript/contract";
import type { RetranscriptionStart, Store, TranscriptionOutcome, TranscriptionState } from "../../../ports.ts";
import type { AccountCaller } from "../../../rules/caller.ts";
import { Accepted, type HandlerContext, type OpenCall } from "../../../run/handler.ts";
import type { OnProgress } from "../../../run/patience.ts";
import { errorOf } from "../../../rules/refusals.ts";
import { readOwnTranscription, type ReadNeeds } from "../own-transcriptions.ts";
import { type QueueNeeds, refuseStart, retryAfter } from "../refuse-start.ts";

/** A transcription that waits or is worked on. */
export type Unfinished = Extract<TranscriptionState, { state: "queued" | "running" }>;
type Finished = Exclude<TranscriptionState, Unfinished>;

interface WatchingStore {
  readonly watchTranscription: Store["watchTranscription"];
}

interface Follower extends OpenCall {
  /** Until when the call may take, as a moment of `performance.now()`. */
  readonly deadline: number;
}

/** Returns how the transcription ended, or `undefined` at the deadline. The work continues in any case. */
export async function followToEnd(
  store: WatchingStore,
  transcriptionId: string,
  { signal, deadline, whileWaiting, onState }: Follower & { readonly onState: (state: Unfinished) => void },
): Promise<Finished | undefined> {
  let unwatch = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  try {
    const end = new Promise<Finished | undefined>((resolve, reject) => {
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
      unwatch = store.watchTranscription(transcriptionId, (state) => {
        try {
          if (state === undefined) reject(new Error(`transcription ${transcriptionId} is gone`));
          else if (state.state === "done" || state.state === "failed") resolve(state);
          else onState(state);
        } catch (error) {
          reject(error as Error);
        }
      });
    });
    return await whileWaiting(() => end);
  } finally {
    unwatch();
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** How far the work was when the caller could wait no longer. */
export interface ReachedProgress {
  /** 0 to 1. */
  readonly share: number;
  /** Left at the speed that was seen; absent while nothing is known of it. */
  readonly secondsLeft?: number;
}

/** Follows until the result is stored. Throws the transcription's error, and what `late` returns at the deadline. */
export async function followToResult(
  store: WatchingStore,
  transcriptionId: string,
  { signal, deadline, whileWaiting, onProgress }: Follower & { readonly onProgress?: OnProgress | undefined },
  late: (progress: ReachedProgress | undefined) => ServiceError,
): Promise<void> {
  const speed = createSpeed();
  const finished = await followToEnd(store, transcriptionId, {
    signal,
    deadline,
    whileWaiting,
    onState: (state) => {
      speed.note(state);
      onProgress?.({ done: state.progress, message: progressText(state) });
    },
  });
  if (finished === undefined) throw late(speed.reached());
  if (finished.state === "failed") throw errorOf(finished.failure);
}

/** How far the work has come, and how long the rest takes at the speed that was seen. */
function createSpeed() {
  let first: { readonly share: number; readonly at: number } | undefined;
  let last: typeof first;
  return {
    note({ state, progress }: Unfinished): void {
      // A new attempt starts over.
      if (state === "queued" || progress < (last?.share ?? 0)) first = undefined;
      last = { share: progress, at: performance.now() };
      if (state === "running" && progress > 0) first ??= last;
    },
    reached(): ReachedProgress | undefined {
      if (last === undefined) return undefined;
      const { share } = last;
      const shares = first === undefined ? 0 : share - first.share;
      if (first === undefined || shares <= 0) return { share };
      const seconds = (performance.now() - first.at) / 1_000;
      return { share, secondsLeft: Math.ceil((seconds * (1 - share)) / shares) };
    },
  };
}

/** Begins the error for a caller who can wait no longer: the progress so far, and in how many seconds a call may find it done. */
export function stillRunning(progress: ReachedProgress | undefined, how: string): string {
  const { share = 0, secondsLeft } = progress ?? {};
  const percent = share === 0 ? "" : `: ${Math.floor(share * 100)}% done`;
  if (secondsLeft === undefined)
    return `This reel is still being transcribed${percent}. ${how} in about ${retryAfter} seconds`;
  const seconds = Math.max(10, Math.ceil(secondsLeft / 10) * 10);
  const left = seconds < 90 ? `${seconds} seconds` : `${Math.round(seconds / 60)} min`;
  return `This reel is still being transcribed${percent}, about ${left} left. ${how} in ${seconds} seconds`;
}

/** Text for people who wait. */
function progressText({ state, progress, waitingFor }: Unfinished): string {
  if (waitingFor === "recognizer") return "Waiting until speech recognition is back";
  if (waitingFor === "storage") return "Waiting until your video can be read again";
  if (state === "queued")
    return waitingFor ? "Waiting until the platform answers again" : "Waiting for a free transcriber";
  if (waitingFor) return "Waiting for its turn at the platform";
  return progress === 0 ? "Fetching the reel" : `Transcribing, ${Math.floor(progress * 100)}% done`;
}

/** `begin` returns work in the queue that the call began or met, or says why there is none. */
export type Work = Exclude<
  TranscriptionOutcome | RetranscriptionStart,
  { readonly kind: "cached" | "finished" | "limitReached" }
>;

interface WorkAnswers {
  /** Shows the work to a caller who doesn't wait. */
  readonly accept: (transcriptionId: string) => Promise<Accepted>;
  /** The error for a caller who can wait no longer. */
  readonly late: (transcriptionId: string, progress: ReachedProgress | undefined) => ServiceError;
}

/**
 * Follows work as far as the caller's patience goes: until it is done, which gives its id, or until it is accepted, for a
 * caller who doesn't wait. Throws why nothing was begun, why the work failed, and `late`. Only work of the account itself has
 * an id.
 */
export async function follow(
  needs: QueueNeeds,
  work: Work,
  { begun, signal, whileWaiting, patience }: Pick<HandlerContext, "begun" | "signal" | "whileWaiting" | "patience">,
  { accept, late }: WorkAnswers,
): Promise<Accepted | string> {
  const { seconds, repeatSeconds, thenGets, onProgress } = patience;
  const refusesRepeats = thenGets === "inProgress" && repeatSeconds === 0;
  if (work.kind !== "started" && (work.kind !== "inProgress" || refusesRepeats)) throw refuseStart(work, needs);
  const id = work.transcriptionId;
  if (id === undefined) throw refuseStart({ kind: "inProgress" }, needs);
  if (thenGets === "accepted") return accept(id);
  const deadline = begun + (work.kind === "started" ? seconds : repeatSeconds) * 1_000;
  await followToResult(needs.store, id, { signal, deadline, whileWaiting, onProgress }, (progress) =>
    late(id, progress),
  );
  return id;
}

/** Answers a caller who does not wait with the state of the transcription. */
export async function acceptTranscription(needs: ReadNeeds, caller: AccountCaller, id: string): Promise<Accepted> {
  const transcription = await readOwnTranscription(needs, caller, id);
  if (transcription === undefined) throw new Error(`transcription ${id} is gone`);
  return new Accepted(transcription);
}
