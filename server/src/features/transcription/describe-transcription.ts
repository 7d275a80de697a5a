import type { TranscribeResult, Transcription } from "@reelscript/contract";
import type { ListedTranscription, StoredTranscription, RetranscriptionOutcome } from "../../ports.ts";
import { isRough, receiptOf } from "../../describe/describe-script.ts";

/** A transcription as callers see it; `usage` is the quota as it is now. */
export function describeTranscription(
  transcription: StoredTranscription,
  usage: TranscribeResult["usage"],
): Transcription {
  const description = describeListed(transcription);
  if (transcription.state !== "done") return description;
  const { text, language, truncated } = transcription.transcript;
  const { scriptId } = description;
  return {
    ...description,
    result: {
      transcript: text,
      language,
      cached: false,
      ...(truncated && { truncated: true as const }),
      ...(isRough(transcription.transcript) && { rough: true as const }),
      usage,
      ...(scriptId !== undefined && { scriptId }),
      transcriptionId: transcription.id,
    },
    receipt: receiptOf(transcription.transcript),
    ...(transcription.outcome && { retranscription: describeOutcome(transcription.outcome) }),
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
export function describeListed(transcription: ListedTranscription): Transcription {
  const { id, reelUrl, state: status } = transcription;
  const request = {
    id,
    status,
    reelUrl,
    requestedAt: transcription.queuedAt.toISOString(),
    ...(transcription.translates && { translates: true as const }),
  };
  if (transcription.state === "queued" || transcription.state === "running")
    return {
      ...request,
      progress: transcription.progress,
      ...(transcription.waitingFor && { waitingFor: transcription.waitingFor }),
    };
  const finished = { ...request, progress: 1, finishedAt: transcription.finishedAt.toISOString() };
  if (transcription.state === "done")
    return { ...finished, ...(transcription.scriptId !== null && { scriptId: transcription.scriptId }) };
  const { code, message, reason } = transcription.failure;
  return { ...finished, error: { code, message, ...(reason && { reason }) } };
}

/** Outcome of a retranscription, as callers see it. */
export const describeOutcome = (outcome: RetranscriptionOutcome): NonNullable<Transcription["retranscription"]> =>
  outcome === "replaced" ? { replaced: true } : { replaced: false, reason: outcome };
