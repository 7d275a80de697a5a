import type { TranscribeResult, Transcription } from "@reelscript/contract";
import type { StoredTranscription } from "../../ports.ts";
import { receiptOf } from "../../describe/receipt-of.ts";
import { describeOutcome } from "./describe-outcome.ts";

export const waitingOf = (found: { readonly waits?: true }): Pick<Transcription, "waitingFor"> =>
  found.waits ? { waitingFor: "platform" } : {};

/** A transcription as callers are told of it; `usage` is the quota as it is now. */
export function describeTranscription(found: StoredTranscription, usage: TranscribeResult["usage"]): Transcription {
  const asked = { id: found.id, reelUrl: found.reelUrl, requestedAt: found.queuedAt.toISOString() };
  if (found.state === "queued") return { ...asked, status: found.state, progress: found.progress };
  if (found.state === "running")
    return { ...asked, status: found.state, progress: found.progress, ...waitingOf(found) };
  const finished = { ...asked, finishedAt: found.finishedAt.toISOString(), progress: 1 };
  if (found.state === "failed") {
    const { code, message, reason } = found.failure;
    return { ...finished, status: found.state, error: { code, message, ...(reason && { reason }) } };
  }
  const { text, language, truncated } = found.transcript;
  return {
    ...finished,
    status: found.state,
    result: {
      transcript: text,
      language,
      cached: false,
      ...(truncated && { truncated: true as const }),
      usage,
      ...(found.scriptId !== null && { scriptId: found.scriptId }),
      transcriptionId: found.id,
    },
    receipt: receiptOf(found.transcript),
    ...(found.outcome && { retranscription: describeOutcome(found.outcome) }),
  };
}
