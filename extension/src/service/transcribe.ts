import type { TranscribeResult, Transcription } from "@reelscript/contract";
import { reelAddress } from "../platform/place.ts";
import { call, Trouble } from "./call.ts";
import { followTranscription } from "./follow-transcription.ts";
import { keepScript } from "./library.ts";

export interface Progress {
  readonly status: "queued" | "running";
  /** 0 to 1 */
  readonly share: number;
  readonly waits?: boolean;
}

/** Transcribes a reel of the platform and reports how it goes. Throws `Trouble`. */
export async function transcribe(
  code: string,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<TranscribeResult> {
  const answer: TranscribeResult | Transcription = await call(
    "transcribeReel",
    { url: reelAddress(code) },
    { prefer: "respond-async", signal },
  );
  const result = isUnfinished(answer) ? await resultOf(answer, onProgress, signal) : answer;
  if (result.scriptId !== undefined) await keepScript(code, result.scriptId);
  return result;
}

const isUnfinished = (answer: TranscribeResult | Transcription): answer is Transcription => "status" in answer;

export async function resultOf(
  begun: Transcription,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<TranscribeResult> {
  const tell = ({ status, progress, waitingFor }: Transcription): void =>
    onProgress({
      status: status === "queued" ? "queued" : "running",
      share: progress,
      ...(waitingFor && { waits: true }),
    });
  tell(begun);
  const ended = await followTranscription(begun.id, tell, signal);
  if (ended.result !== undefined) return ended.result;
  const { code = "internalError", message = "The transcription ended without a result.", reason } = ended.error ?? {};
  throw new Trouble(code, message, { reason });
}
