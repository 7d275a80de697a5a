import { ServiceError } from "@reelscript/contract";
import type { Claim, ReelSource, Store, Transcriber, Transcriptions } from "../ports.ts";
import type { Stage } from "./metrics.ts";
import type { Telemetry } from "./telemetry.ts";
import type { Span } from "./traces.ts";

/** A transcription that is in hand here. */
interface InHand {
  readonly claim: Claim;
  readonly startedAt: number;
  readonly seconds: Partial<Record<Stage, number>>;
  readonly span: Span | undefined;
  cause?: unknown;
}

export interface WorkPorts {
  readonly store: Store;
  readonly source: ReelSource;
  readonly transcriber: Transcriber;
}

export interface ObservedWork extends WorkPorts {
  /** A fault of ours that ended or repeats a transcription. */
  readonly onFault: (error: unknown, claim: Claim) => void;
}

/** More than any process has in hand; what was claimed and never ended here is forgotten then. */
const mostInHand = 1_000;

/** The same ports, with one line, its stages and one trace for each transcription that a worker had in hand. */
export function observeWork({ store, source, transcriber }: WorkPorts, telemetry: Telemetry): ObservedWork {
  const { log, metrics, traces, decodings } = telemetry;
  const byId = new Map<string, InHand>();
  const byReel = new WeakMap<object, InHand>();
  const byFile = new Map<string, InHand>();

  function stageEnded(stage: Stage, from: number, to: number, work: InHand | undefined): void {
    const seconds = Math.max(0, to - from) / 1_000;
    metrics?.stageEnded(stage, seconds);
    if (work === undefined) return;
    work.seconds[stage] = Number(((work.seconds[stage] ?? 0) + seconds).toFixed(4));
    const at = (moment: number): Date => new Date(performance.timeOrigin + moment);
    work.span?.child(stage, at(from)).end(false, at(to));
  }

  function ended(claim: Claim, outcome: string): void {
    const work = byId.get(claim.transcriptionId);
    if (work?.claim.attempt !== claim.attempt) return;
    byId.delete(claim.transcriptionId);
    metrics?.transcriptionEnded(outcome);
    const { cause } = work;
    const line = {
      transcriptionId: claim.transcriptionId,
      attempt: claim.attempt,
      outcome,
      seconds: Number(((performance.now() - work.startedAt) / 1_000).toFixed(4)),
      stages: work.seconds,
      ...(cause !== undefined && { cause }),
    };
    if (outcome === "internalError" || outcome === "repeated") log.warn(line, "transcription");
    else log.info(line, "transcription");
    work.span?.set({
      "reelscript.transcription_id": claim.transcriptionId,
      "reelscript.attempt": claim.attempt,
      "reelscript.outcome": outcome,
    });
    work.span?.end(outcome === "internalError");
  }

  async function fetch(...[reel, file, signal]: Parameters<ReelSource["fetch"]>): ReturnType<ReelSource["fetch"]> {
    const work = byReel.get(reel);
    if (work) byFile.set(file, work);
    const from = performance.now();
    try {
      const found = await source.fetch(reel, file, signal);
      stageEnded("fetch", from, performance.now(), work);
      return found;
    } catch (error) {
      if (work) byFile.delete(file);
      noteCause(work, error);
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
      stageEnded("wait", from, wantedAt, work);
      stageEnded("decode", wantedAt, decodedAt, work);
      stageEnded("recognize", decodedAt, to, work);
      return speech;
    } catch (error) {
      noteCause(work, error);
      throw error;
    } finally {
      decodings.delete(file);
      byFile.delete(file);
    }
  }

  const transcriptions: Transcriptions = {
    ...store.transcriptions,
    async claim(...parameters) {
      const claim = await store.transcriptions.claim(...parameters);
      if (claim !== undefined) {
        const span = traces?.start("transcription", "internal");
        const work = { claim, startedAt: performance.now(), seconds: {}, span };
        byId.set(claim.transcriptionId, work);
        const [oldest] = byId.keys();
        if (byId.size > mostInHand && oldest !== undefined) byId.delete(oldest);
        byReel.set(claim.reel, work);
      }
      return claim;
    },
    async extend(...parameters) {
      const held = await store.transcriptions.extend(...parameters);
      if (!held) ended(parameters[0], "lost");
      return held;
    },
    async complete(...parameters) {
      const [claim] = parameters;
      const from = performance.now();
      const held = await store.transcriptions.complete(...parameters);
      stageEnded("store", from, performance.now(), byId.get(claim.transcriptionId));
      ended(claim, held ? "done" : "lost");
      return held;
    },
    async fail(...parameters) {
      const [claim, failure] = parameters;
      const held = await store.transcriptions.fail(...parameters);
      ended(claim, held ? failure.code : "lost");
      return held;
    },
    async release(...parameters) {
      const [claim, countAttempt] = parameters;
      const held = await store.transcriptions.release(...parameters);
      ended(claim, held ? (countAttempt ? "repeated" : "released") : "lost");
      return held;
    },
  };
  return {
    store: { ...store, transcriptions },
    source: { ...source, fetch },
    transcriber: { ...transcriber, transcribe },
    onFault: (error, claim) => noteCause(byId.get(claim.transcriptionId), error),
  };
}

/** What is not the reel's own: a private reel or a codec that nobody can decode is told by the code alone. */
function noteCause(work: InHand | undefined, error: unknown): void {
  if (work === undefined) return;
  work.cause = error instanceof ServiceError && error.cause !== undefined ? error.cause : error;
}
