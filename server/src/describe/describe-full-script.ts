import type { FullScript } from "@reelscript/contract";
import type { FoundScript, RecognizerVersion, ScriptRow } from "../ports.ts";
import { receiptOf } from "./receipt-of.ts";
import { mayHearMore } from "../recognition/recognizer-key.ts";
import { describeScript } from "./describe-script.ts";

type Described = ScriptRow & Partial<Pick<FoundScript, "heardBy" | "words">>;

/** A script with its whole transcript, the times at which things are said, and how it was made. */
export function describeFullScript(row: Described, recognizer?: RecognizerVersion): FullScript {
  const { transcript, words, heardBy } = row;
  const { segments, gaps, revision } = transcript;
  const retranscribable = recognizer && heardBy && mayHearMore(recognizer, { revision, heardBy });
  return {
    ...describeScript(row),
    segments: [...segments],
    ...(gaps !== null && { gaps: [...gaps] }),
    ...(words && { words: [...words] }),
    ...(retranscribable && { retranscribable: true as const }),
    receipt: receiptOf(transcript),
  };
}
