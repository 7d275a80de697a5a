import { ServiceError } from "@reelscript/contract";
import type { Claim } from "../ports.ts";
import type { Stage } from "./metrics.ts";
import type { Span, Telemetry } from "./telemetry.ts";

/** A transcription that this process is working on. */
interface InHand {
  readonly claim: Claim;
  readonly startedAt: number;
  readonly seconds: Partial<Record<Stage, number>>;
  readonly span: Span | undefined;
  cause?: unknown;
  /** Its outcome is being stored, or storing it got no answer. */
  isEnding?: true;
}

/** The transcriptions that this process works on, at most 1,000. */
export interface WorkInHand {
  ofReel(reel: object): InHand | undefined;
  ofClaim(claim: Claim): InHand | undefined;
  begin(claim: Claim): void;
  /** Counts a stage, even if its transcription isn't known. Moments are those of `performance.now()`. */
  stageEnded(stage: Stage, from: number, to: number, work: InHand | undefined): void;
  /** Writes the line and the trace of an attempt; does nothing for an attempt that isn't running here. */
  ended(claim: Claim, outcome: string): void;
  /** Called for faults that aren't the reel's own: for a private reel or an undecodable codec the code says enough. */
  noteCause(work: InHand | undefined, error: unknown): void;
}

/** More than any process works on; older claims that never ended here are dropped. */
const mostInHand = 1_000;

/** Keeps the running transcriptions, and writes one line and one trace for each when it ends. */
export function createWorkInHand({ log, metrics, traces }: Pick<Telemetry, "log" | "metrics" | "traces">): WorkInHand {
  const byId = new Map<string, InHand>();
  const byReel = new WeakMap<object, InHand>();

  return {
    ofReel: (reel) => byReel.get(reel),
    ofClaim: ({ transcriptionId }) => byId.get(transcriptionId),

    begin(claim) {
      const span = traces?.start("transcription", "internal", claim.origin?.span);
      const work = { claim, startedAt: performance.now(), seconds: {}, span };
      byId.set(claim.transcriptionId, work);
      const [oldest] = byId.keys();
      if (byId.size > mostInHand && oldest !== undefined) byId.delete(oldest);
      byReel.set(claim.reel, work);
    },

    stageEnded(stage, from, to, work) {
      const seconds = Math.max(0, to - from) / 1_000;
      metrics?.stageEnded(stage, seconds);
      if (work === undefined) return;
      work.seconds[stage] = Number(((work.seconds[stage] ?? 0) + seconds).toFixed(4));
      const at = (moment: number): Date => new Date(performance.timeOrigin + moment);
      work.span?.child(stage, at(from)).end(false, at(to));
    },

    ended({ transcriptionId, attempt }, outcome) {
      const work = byId.get(transcriptionId);
      if (work?.claim.attempt !== attempt) return;
      byId.delete(transcriptionId);
      metrics?.transcriptionEnded(outcome);
      const { cause, claim, span } = work;
      const line = {
        transcriptionId,
        requestId: claim.origin?.requestId,
        accountId: claim.accountId,
        traceId: span?.context.traceId,
        spanId: span?.context.spanId,
        attempt,
        outcome,
        seconds: Number(((performance.now() - work.startedAt) / 1_000).toFixed(4)),
        stages: work.seconds,
        ...(cause !== undefined && { cause }),
      };
      if (outcome === "internalError" || outcome === "repeated") log.warn(line, "transcription");
      else log.info(line, "transcription");
      span?.set({
        "reelscript.transcription_id": transcriptionId,
        ...(claim.origin && { "reelscript.request_id": claim.origin.requestId }),
        ...(claim.accountId !== undefined && { "reelscript.account_id": claim.accountId }),
        "reelscript.attempt": attempt,
        "reelscript.outcome": outcome,
      });
      span?.end(outcome === "internalError");
    },

    noteCause(work, error) {
      if (work === undefined) return;
      work.cause = error instanceof ServiceError && error.cause !== undefined ? error.cause : error;
    },
  };
}
