import type { Transcription } from "@reelscript/contract";
import type { InterimText } from "../../ports.ts";

/** Which of the words so far one follower has, so that each is sent once. */
export interface SentPassages {
  /** What the follower lacks of `interim`; `undefined` when it has all. The first time it is never `undefined`. */
  readonly lacking: (interim: InterimText | undefined) => Transcription["interim"];
  /** The follower has all of `interim`. */
  readonly noteSent: (interim: InterimText | undefined) => void;
}

export function createSentPassages(): SentPassages {
  let known: { readonly attempt: number | undefined; readonly count: number } | undefined;
  return {
    lacking(interim) {
      const passages = interim?.passages ?? [];
      const from = known?.attempt === interim?.attempt ? (known?.count ?? 0) : 0;
      const isNews = known === undefined || passages.length > from || (from === 0 && known.count > 0);
      return isNews ? { from, passages: passages.slice(from) } : undefined;
    },
    noteSent(interim) {
      known = { attempt: interim?.attempt, count: interim?.passages.length ?? 0 };
    },
  };
}
