import type { Transcription } from "@reelscript/contract";
import type { InterimText } from "../../ports.ts";

/** What one follower knows of the words so far, so that each is told once. */
export interface InterimTelling {
  /** What a follower needs to know all of `interim`; `undefined` when it does. The first time it always is something. */
  readonly newsIn: (interim: InterimText | undefined) => Transcription["interim"];
  /** The follower knows `interim`. */
  readonly told: (interim: InterimText | undefined) => void;
}

export function createInterimTelling(): InterimTelling {
  let known: { readonly attempt: number | undefined; readonly count: number } | undefined;
  return {
    newsIn(interim) {
      const passages = interim?.passages ?? [];
      const from = known?.attempt === interim?.attempt ? (known?.count ?? 0) : 0;
      const isNews = known === undefined || passages.length > from || (from === 0 && known.count > 0);
      return isNews ? { from, passages: passages.slice(from) } : undefined;
    },
    told(interim) {
      known = { attempt: interim?.attempt, count: interim?.passages.length ?? 0 };
    },
  };
}
