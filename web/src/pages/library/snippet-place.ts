import type { Script } from "@reelscript/contract";

export interface ShownWords {
  readonly parts: readonly { readonly text: string; readonly hit: boolean }[];
  /** Whether there is more before the first part. */
  readonly cutBefore: boolean;
  readonly from: "transcript" | "caption" | "nothing";
  /** Of the first hit, as a share of the transcript. */
  readonly hit?: number;
}

/** Two lines of a row never show more. */
const mostCharacters = 400;

/** What a row shows of a script: the piece with the hits, else the beginning of what is said, else of the caption. */
export function shownWords({ transcript, caption, snippet }: Script): ShownWords {
  if (snippet === undefined || snippet.length === 0) {
    if (transcript !== "") return { parts: plain(transcript), cutBefore: false, from: "transcript" };
    return caption ? { parts: plain(caption), cutBefore: false, from: "caption" } : nothing;
  }
  const piece = snippet.map(({ text }) => text).join("");
  const place = transcript.indexOf(piece);
  if (place === -1) return { parts: snippet, cutBefore: !caption?.trimStart().startsWith(piece), from: "caption" };
  const first = snippet.findIndex(({ hit }) => hit);
  const before = snippet.slice(0, Math.max(0, first)).reduce((sum, { text }) => sum + text.length, 0);
  const hit = first === -1 ? {} : { hit: (place + before) / transcript.length };
  return { parts: snippet, cutBefore: transcript.slice(0, place).trim() !== "", from: "transcript", ...hit };
}

const plain = (text: string): ShownWords["parts"] => [{ text: text.slice(0, mostCharacters), hit: false }];
const nothing: ShownWords = { parts: [], cutBefore: false, from: "nothing" };
