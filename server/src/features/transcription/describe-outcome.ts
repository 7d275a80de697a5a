import type { Transcription } from "@reelscript/contract";
import type { RepairOutcome } from "../../ports.ts";

/** What became of transcribing a script again, as callers see it. */
export const describeOutcome = (outcome: RepairOutcome): NonNullable<Transcription["retranscription"]> =>
  outcome === "replaced" ? { replaced: true } : { replaced: false, reason: outcome };
