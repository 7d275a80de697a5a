import type { MediaDecoder } from "@reelscript/whisper";
import type { Claim, ReelSource, Store, Transcriber, Transcriptions } from "../ports.ts";
import type { Telemetry, Decodings } from "./telemetry.ts";
import { createWorkInHand, type WorkInHand } from "./work-in-hand.ts";

interface WorkPorts {
  readonly store: Store;
  readonly source: ReelSource;
  readonly transcriber: Transcriber;
}

interface ObservedWork extends WorkPorts {
  /** A fault of ours that ended or repeats a transcription. */
  readonly onFault: (error: unknown, claim: Claim) => void;
}

/** Wraps the ports: each transcription in a worker's hands gets one log line, its stages and one trace. */
export function observeWork({ store, source, transcriber }: WorkPorts, telemetry: Telemetry): ObservedWork {
  const inHand = createWorkInHand(telemetry);
  return {
    store: { ...store, transcriptions: observeQueue(store.transcriptions, inHand) },
    ...observeHearing({ source, transcriber }, inHand, telemetry),
    onFault: (error, claim) => inHand.noteCause(inHand.ofClaim(claim), error),
  };
}

/** A reel is fetched into a file and heard from it: the file leads from the reel in hand to what is heard. */
function observeHearing(
  { source, transcriber }: Omit<WorkPorts, "store">,
  inHand: WorkInHand,
  { decodings }: Pick<Telemetry, "decodings">,
): Omit<WorkPorts, "store"> {
  const byFile = new Map<string, ReturnType<WorkInHand["ofReel"]>>();

  async function fetch(...asked: Parameters<ReelSource["fetch"]>): ReturnType<ReelSource["fetch"]> {
    const [reel, file] = asked;
    const work = inHand.ofReel(reel);
    if (work) byFile.set(file, work);
    const from = performance.now();
    try {
      const found = await source.fetch(...asked);
      inHand.stageEnded("fetch", from, performance.now(), work);
      return found;
    } catch (error) {
      if (work) byFile.delete(file);
      inHand.noteCause(work, error);
      throw error;
    }
  }

  async function transcribe(
    ...[file, options]: Parameters<Transcriber["transcribe"]>
  ): ReturnType<Transcriber["transcribe"]> {
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
  }

  return { source: { ...source, fetch }, transcriber: { ...transcriber, transcribe } };
}

const observeQueue = (queue: Transcriptions, inHand: WorkInHand): Transcriptions => ({
  ...queue,
  async claim(...parameters) {
    const claim = await queue.claim(...parameters);
    if (claim !== undefined) inHand.begin(claim);
    return claim;
  },
  async extend(...parameters) {
    const held = await queue.extend(...parameters);
    if (!held) inHand.ended(parameters[0], "lost");
    return held;
  },
  async complete(...parameters) {
    const [claim] = parameters;
    const from = performance.now();
    const held = await queue.complete(...parameters);
    inHand.stageEnded("store", from, performance.now(), inHand.ofClaim(claim));
    inHand.ended(claim, held ? "done" : "lost");
    return held;
  },
  async fail(...parameters) {
    const [claim, failure] = parameters;
    const held = await queue.fail(...parameters);
    inHand.ended(claim, held ? failure.code : "lost");
    return held;
  },
  async postpone(...parameters) {
    const held = await queue.postpone(...parameters);
    inHand.ended(parameters[0], held ? "postponed" : "lost");
    return held;
  },
  async release(...parameters) {
    const [claim, countAttempt] = parameters;
    const held = await queue.release(...parameters);
    inHand.ended(claim, held ? (countAttempt ? "repeated" : "released") : "lost");
    return held;
  },
});

/** Counts what each way gave, and logs a line when that changes or a way fails from the start. */
export function observeCanary({ log, metrics }: Telemetry): (way: string, outcome: string) => void {
  const last = new Map<string, string>();
  return (way, outcome) => {
    metrics?.canaryAsked(way, outcome);
    const before = last.get(way) ?? "data";
    last.set(way, outcome);
    if (before !== outcome) log.warn({ way, before, outcome }, "The platform answers the canary in another way");
  };
}

/** More than any process decodes at a time; older entries that nobody asked about are dropped. */
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
