import { cutText } from "@reelscript/contract/values";
import type { Script } from "@reelscript/contract";

export interface ShownWords {
  readonly parts: readonly { readonly text: string; readonly hit: boolean }[];
  readonly cutBefore: boolean;
  readonly cutAfter?: true;
  readonly from: "transcript" | "caption" | "nothing";
  /** Position of the first hit, from 0 to 1 in the transcript. */
  readonly hit?: number;
}

/** Two lines of a row never show more than this. */
const mostCharacters = 400;

/** The excerpt in a script's row: the passage with the hits, or else the beginning of the transcript, or of the caption. */
export function shownWords({ transcript, caption, snippet }: Script): ShownWords {
  if (snippet === undefined || snippet.length === 0) {
    if (transcript !== "") return { parts: plain(transcript), cutBefore: false, from: "transcript" };
    return caption ? { parts: plain(caption), cutBefore: false, from: "caption" } : nothing;
  }
  const piece = snippet.map(({ text }) => text).join("");
  const offset = transcript.indexOf(piece);
  if (offset === -1) return { parts: snippet, cutBefore: !caption?.trimStart().startsWith(piece), from: "caption" };
  const first = snippet.findIndex(({ hit }) => hit);
  const before = snippet.slice(0, Math.max(0, first)).reduce((sum, { text }) => sum + text.length, 0);
  const hit = first === -1 ? {} : { hit: (offset + before) / transcript.length };
  return {
    parts: snippet,
    cutBefore: transcript.slice(0, offset).trim() !== "",
    ...(transcript.slice(offset + piece.length).trim() !== "" && { cutAfter: true as const }),
    from: "transcript",
    ...hit,
  };
}

/** A space always separates characters; finding other boundaries would load the browser's rules for them. */
const plain = (text: string): ShownWords["parts"] => {
  const blank = text.length > mostCharacters ? text.lastIndexOf(" ", mostCharacters) : -1;
  return [{ text: blank > 0 ? text.slice(0, blank) : cutText(text, mostCharacters), hit: false }];
};
const nothing: ShownWords = { parts: [], cutBefore: false, from: "nothing" };
