import { type TranscribeResult, type Transcription, ServiceError } from "@reelscript/contract";
import type { ListedTranscription, StoredTranscription, RetranscriptionOutcome, Failure } from "../../ports.ts";
import { isRough, receiptOf } from "../../describe/describe-script.ts";

/** A transcription as callers see it; `usage` is the quota as it is now. */
export function describeTranscription(found: StoredTranscription, usage: TranscribeResult["usage"]): Transcription {
  const listed = describeListed(found);
  if (found.state !== "done") return listed;
  const { text, language, truncated } = found.transcript;
  const { scriptId } = listed;
  return {
    ...listed,
    result: {
      transcript: text,
      language,
      cached: false,
      ...(truncated && { truncated: true as const }),
      ...(isRough(found.transcript) && { rough: true as const }),
      usage,
      ...(scriptId !== undefined && { scriptId }),
      transcriptionId: found.id,
    },
    receipt: receiptOf(found.transcript),
    ...(found.outcome && { retranscription: describeOutcome(found.outcome) }),
  };
}

/** Describes a transcription that was just put into the queue. */
export const describeQueued = ({
  id,
  reelUrl,
  queuedAt,
}: Pick<ListedTranscription, "id" | "reelUrl" | "queuedAt">): Transcription =>
  describeListed({ id, reelUrl, queuedAt, state: "queued", progress: 0 });

/** Describes a listed transcription, without its text. */
export function describeListed(found: ListedTranscription): Transcription {
  const { id, reelUrl, state: status } = found;
  const request = { id, status, reelUrl, requestedAt: found.queuedAt.toISOString() };
  if (found.state === "queued" || found.state === "running")
    return { ...request, progress: found.progress, ...(found.waitingFor && { waitingFor: found.waitingFor }) };
  const finished = { ...request, progress: 1, finishedAt: found.finishedAt.toISOString() };
  if (found.state === "done") return { ...finished, ...(found.scriptId !== null && { scriptId: found.scriptId }) };
  const { code, message, reason } = found.failure;
  return { ...finished, error: { code, message, ...(reason && { reason }) } };
}

/** Outcome of a retranscription, as callers see it. */
export const describeOutcome = (outcome: RetranscriptionOutcome): NonNullable<Transcription["retranscription"]> =>
  outcome === "replaced" ? { replaced: true } : { replaced: false, reason: outcome };

/** A failure that was kept with a transcription, as its caller meets it. */
export const errorOf = ({ code, status, message, reason, retryAfter }: Failure): ServiceError =>
  new ServiceError(code, message, {
    reason,
    ...(status === 422 && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
