import type { FullScript } from "@reelscript/contract";
import type { FoundScript, RecognizerVersion, ScriptRow } from "../ports.ts";
import { receiptOf } from "./receipt-of.ts";
import { mayHearMore } from "../recognition/recognizer-key.ts";
import { describeScript } from "./describe-script.ts";

type Described = ScriptRow & Partial<Pick<FoundScript, "heardBy" | "sharedRevision" | "words">>;

/** A script with its whole transcript, the times at which things are said, and how it was made. */
export function describeFullScript(row: Described, recognizer?: RecognizerVersion): FullScript {
  const { transcript, words, heardBy, sharedRevision = null, correctedAt } = row;
  const { segments, gaps } = transcript;
  const retranscribable = recognizer && heardBy && mayHearMore(recognizer, { revision: sharedRevision, heardBy });
  return {
    ...describeScript(row),
    segments: [...segments],
    ...(gaps !== null && { gaps: [...gaps] }),
    ...(correctedAt !== null && { correctedAt: correctedAt.toISOString() }),
    ...(words && { words: [...words] }),
    ...(retranscribable && { retranscribable: true as const }),
    receipt: receiptOf(transcript),
  };
}
