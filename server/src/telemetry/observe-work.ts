import type { MediaDecoder } from "@reelscript/whisper";
import type { Claim, ReelSource, Store, Transcriber, Transcriptions } from "../ports.ts";
import type { Telemetry, Decodings } from "./telemetry.ts";
import { createWorkInHand, type WorkInHand } from "./work-in-hand.ts";

interface HearingPorts {
  readonly source: ReelSource;
  readonly transcriber: Transcriber;
}

interface WorkPorts extends HearingPorts {
  readonly store: Store;
}

interface ObservedWork extends WorkPorts {
  /** A fault of ours that ended or repeats a transcription. */
  readonly onFault: (error: unknown, claim: Claim) => void;
}

/** Wraps the ports: each transcription of a worker gets one log line, its stages and one trace. */
export function observeWork({ store, source, transcriber }: WorkPorts, telemetry: Telemetry): ObservedWork {
  const inHand = createWorkInHand(telemetry);
  return {
    store: { ...store, transcriptions: observeQueue(store.transcriptions, inHand, telemetry) },
    ...observeHearing({ source, transcriber }, inHand, telemetry),
    onFault: (error, claim) => inHand.noteCause(inHand.ofClaim(claim), error),
  };
}

/** A reel's media are fetched into a file and transcribed from it, so the file connects both with the reel. */
function observeHearing(
  { source, transcriber }: HearingPorts,
  inHand: WorkInHand,
  { decodings }: Telemetry,
): HearingPorts {
  const byFile = new Map<string, ReturnType<WorkInHand["ofReel"]>>();

  const fetch: ReelSource["fetch"] = async (reel, file, signal, contact) => {
    const work = inHand.ofReel(reel);
    if (work) byFile.set(file, work);
    const from = performance.now();
    try {
      const media = await source.fetch(reel, file, signal, contact);
      inHand.stageEnded("fetch", from, performance.now(), work);
      return media;
    } catch (error) {
      if (work) byFile.delete(file);
      inHand.noteCause(work, error);
      throw error;
    }
  };

  const transcribe: Transcriber["transcribe"] = async (file, options) => {
    const work = byFile.get(file);
    const from = performance.now();
    try {
      const speech = await transcriber.transcribe(file, options);
      const to = performance.now();
      const { wantedAt = from, decodedAt = from } = decodings.get(file) ?? {};
      inHand.stageEnded("wait", from, wantedAt, work);
      inHand.stageEnded("decode", wantedAt, decodedAt, work);
      inHand.stageEnded("recognize", decodedAt, to, work);
      return speech;
    } catch (error) {
      inHand.noteCause(work, error);
      throw error;
    } finally {
      decodings.delete(file);
      byFile.delete(file);
    }
  };

  return { source: { ...source, fetch }, transcriber: { ...transcriber, transcribe } };
}

const observeQueue = (queue: Transcriptions, inHand: WorkInHand, { metrics }: Telemetry): Transcriptions => ({
  ...queue,
  async claim(...parameters) {
    const claim = await queue.claim(...parameters);
    if (claim !== undefined) inHand.begin(claim);
    if (claim?.tookOver) metrics?.leasesExpired(1);
    return claim;
  },
  async reap(...parameters) {
    const reaped = await queue.reap(...parameters);
    metrics?.leasesExpired(reaped.expired);
    return reaped;
  },
  async extend(...parameters) {
    const held = await queue.extend(...parameters);
    // A transcription that has just ended here has no lease either.
    if (!held && inHand.ofClaim(parameters[0])?.isEnding !== true) inHand.ended(parameters[0], "lost");
    return held;
  },
  async complete(...parameters) {
    const [claim] = parameters;
    const from = performance.now();
    const work = inHand.ofClaim(claim);
    const isRepeated = work?.isEnding === true;
    if (work) work.isEnding = true;
    const held = await queue.complete(...parameters);
    inHand.stageEnded("store", from, performance.now(), work);
    // The previous answer may have been lost although the work was done.
    const isDone = held || (isRepeated && (await isStored(queue, claim)));
    inHand.ended(claim, isDone ? "done" : "lost");
    return held;
  },
  async fail(...parameters) {
    const [claim, failure] = parameters;
    const work = inHand.ofClaim(claim);
    if (work) work.isEnding = true;
    const held = await queue.fail(...parameters);
    inHand.ended(claim, held ? failure.code : "lost");
    return held;
  },
  async postpone(...parameters) {
    const work = inHand.ofClaim(parameters[0]);
    if (work) work.isEnding = true;
    const held = await queue.postpone(...parameters);
    inHand.ended(parameters[0], held ? "postponed" : "lost");
    return held;
  },
  async release(...parameters) {
    const [claim, countAttempt] = parameters;
    const work = inHand.ofClaim(claim);
    if (work) work.isEnding = true;
    const held = await queue.release(...parameters);
    inHand.ended(claim, held ? (countAttempt ? "repeated" : "released") : "lost");
    return held;
  },
});

const isStored = async (queue: Transcriptions, { transcriptionId }: Claim): Promise<boolean> =>
  (await queue.find(transcriptionId).catch(() => undefined))?.state === "done";

/** Counts the outcome of each route, and logs a line when that changes or a route fails from the start. */
export function observeCanary({ log, metrics }: Telemetry): (way: string, outcome: string) => void {
  const last = new Map<string, string>();
  return (way, outcome) => {
    metrics?.canaryAsked(way, outcome);
    const before = last.get(way) ?? "data";
    last.set(way, outcome);
    if (before !== outcome) log.warn({ way, before, outcome }, "The platform answers the canary in another way");
  };
}

/** These are part of healthy work. */
const usualObstacles: ReadonlySet<string | undefined> = new Set(["draining", "platformBusy", "crashedReel"]);

/** Writes one line when the worker's obstacle to claiming changes, and exposes it as a metric. */
export function observeObstacles({ log, metrics }: Telemetry): (obstacle: string | undefined) => void {
  let before: string | undefined;
  return (obstacle) => {
    metrics?.obstacleChanged(obstacle);
    const isUsual = usualObstacles.has(obstacle ?? before);
    const message = obstacle === undefined ? "The worker claims again" : "The worker claims nothing";
    log[isUsual ? "info" : "warn"]({ obstacle, before }, message);
    before = obstacle;
  };
}

/** More files than any process decodes at a time; older entries that nobody read are dropped. */
const mostRemembered = 1_000;

/** Wraps the decoder to note when the samples of each file were first requested, and when the last arrived. */
export function observeDecoder(decoder: MediaDecoder, decodings: Decodings): MediaDecoder {
  return {
    description: decoder.description,
    close: () => decoder.close(),
    decode(file, options) {
      const media = decoder.decode(file, options);
      const samples: AsyncIterable<Float32Array> = {
        [Symbol.asyncIterator]() {
          const chunks = media.samples[Symbol.asyncIterator]();
          const wantedAt = performance.now();
          const note = (): void => {
            decodings.set(file, { wantedAt, decodedAt: performance.now() });
            const [oldest] = decodings.keys();
            if (decodings.size > mostRemembered && oldest !== undefined) decodings.delete(oldest);
          };
          return {
            async next() {
              const next = await chunks.next();
              if (next.done === true) note();
              return next;
            },
            async return() {
              note();
              return (await chunks.return?.()) ?? { done: true, value: undefined };
            },
          };
        },
      };
      return { ...media, samples };
    },
  };
}
