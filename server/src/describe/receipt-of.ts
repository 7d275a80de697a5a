import type { Receipt } from "@reelscript/contract";
import type { Transcript } from "../ports.ts";

/** How a transcript came to be, as callers are told. */
export const receiptOf = (transcript: Transcript): Receipt => ({
  model: transcript.model,
  ...(transcript.revision !== null && { revision: transcript.revision }),
  languageProbability: transcript.languageProbability,
  speechSeconds: transcript.speechSeconds,
  audioSeconds: transcript.seconds,
  cut: transcript.truncated,
});
