import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { languages, ServiceError, supportedLanguage } from "@reelscript/contract";
import type { Claim, Clock, Failure, ReelSource, Store, Transcriber } from "../ports.ts";
import { SpeechNotRecognised } from "../speech-not-recognised.ts";

const leaseSeconds = 30;
const heartbeatMilliseconds = 1_000;
const pollMilliseconds = 1_000;
const reapMilliseconds = 5_000;
const refusalMilliseconds = 24 * 60 * 60 * 1_000;
/** Share of the progress that fetching takes; afterwards the transcriber tells. */
const fetched = 0.05;

const broken: Failure = {
  code: "internalError",
  status: 500,
  message: "The transcription broke off on our side, twice. Nothing was charged; try again later.",
};

interface Needs {
  readonly store: Store;
  readonly source: ReelSource;
  readonly transcriber: Transcriber;
  readonly clock: Clock;
  readonly name: string;
  /** Where media lie while they are worked on. */
  readonly workDirectory: string;
  /** Transcriptions in hand at a time: while some are recognised, others are fetched. */
  readonly concurrency: number;
  readonly onFault: (error: unknown, claim?: Claim) => void;
}

export interface TranscriptionWorker {
  /** Gives what is in hand back to the queue, without counting the attempt. */
  stop(): Promise<void>;
}

/** Claims transcriptions, fetches the reels and transcribes them, until stopped. */
export function startTranscriptionWorker(needs: Needs): TranscriptionWorker {
  const { store, clock, onFault } = needs;
  const stopping = new AbortController();
  const wakers = new Set<() => void>();
  const unsubscribe = store.subscribe("queued", () => {
    for (const wake of wakers) wake();
  });

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => wakers.add(resolve));
      const claim = await store.transcriptions.claim(needs.name, leaseSeconds, clock.now()).catch((error: unknown) => {
        onFault(error);
        return undefined;
      });
      if (claim) await work(needs, claim, stopping.signal).catch((error: unknown) => onFault(error, claim));
      else await pause(pollMilliseconds, stopping.signal, woken);
      wakers.clear();
    }
  }

  async function reap(): Promise<void> {
    while (!stopping.signal.aborted) {
      await store.transcriptions.reap(broken, clock.now()).catch((error: unknown) => onFault(error));
      await pause(reapMilliseconds, stopping.signal);
    }
  }

  const loops = [reap(), ...Array.from({ length: needs.concurrency }, loop)];
  return {
    async stop() {
      stopping.abort();
      unsubscribe();
      for (const wake of wakers) wake();
      await Promise.all(loops);
    },
  };
}

async function work(needs: Needs, claim: Claim, stopping: AbortSignal): Promise<void> {
  const { store, source, transcriber, clock, onFault } = needs;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  let progress = 0;
  let beating = false;
  const heartbeat = setInterval(() => {
    if (beating) return;
    beating = true;
    store.transcriptions
      .extend(claim, progress, leaseSeconds, clock.now())
      .then((held) => held || lost.abort())
      .catch((error: unknown) => onFault(error, claim))
      .finally(() => (beating = false));
  }, heartbeatMilliseconds);

  const directory = await mkdtemp(path.join(needs.workDirectory, "reel-"));
  try {
    const file = path.join(directory, "media");
    const reel = await source.fetch(claim.reel, file, signal);
    progress = fetched;
    const speech = await transcriber.transcribe(file, {
      language: claim.languageHint,
      signal,
      onProgress: (done) => (progress = fetched + done * (1 - fetched)),
    });
    const now = clock.now();
    await store.transcriptions.complete(claim, { ...speech, reel, createdAt: now }, speech.text !== "", now);
  } catch (error) {
    if (lost.signal.aborted) return;
    if (stopping.aborted) await store.transcriptions.release(claim, false, clock.now());
    else await settleFailure(needs, claim, error);
  } finally {
    clearInterval(heartbeat);
    await rm(directory, { recursive: true, force: true });
  }
}

async function settleFailure(
  { store, transcriber, clock, onFault }: Needs,
  claim: Claim,
  error: unknown,
): Promise<void> {
  const now = clock.now();
  if (error instanceof SpeechNotRecognised) {
    const refuse = { model: transcriber.model, until: new Date(now.getTime() + refusalMilliseconds) };
    await store.transcriptions.fail(claim, notRecognised(error), { now, refuse });
    return;
  }
  if (error instanceof ServiceError && error.code !== "internalError") {
    const { code, status, message, retryAfter } = error;
    await store.transcriptions.fail(claim, { code, status, message, retryAfter }, { now });
    return;
  }
  onFault(error, claim);
  if (claim.mayRetry) await store.transcriptions.release(claim, true, now);
  else await store.transcriptions.fail(claim, broken, { now });
}

function notRecognised({ language, model }: SpeechNotRecognised): Failure {
  const code = supportedLanguage(language);
  const name = code ? `${languages[code]} (${code})` : language;
  return {
    code: "invalidRequest",
    status: 422,
    message: `The speech in this reel, heard as ${name}, could not be recognised by the model ${model}. Nothing was charged. A larger model may do better.`,
  };
}

/** Ends early when stopped or woken, and leaves nothing behind. */
function pause(milliseconds: number, stopped: AbortSignal, woken?: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    stopped.addEventListener("abort", finish);
    void woken?.then(finish);
    if (stopped.aborted) finish();
  });
}
