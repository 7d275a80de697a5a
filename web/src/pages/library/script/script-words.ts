import { wholeCharacters } from "@reelscript/contract/values";

const sentence = /^.+?[.!?…।؟。]+(?=["'”’»)]*(\s|$))/su;
const shortestSentence = 12;
const longestTitle = 72;

/** The first sentence, or its beginning, without the full stop. Empty when nothing is said. */
export function titleOf(transcript: string): string {
  const text = transcript.trim().replace(/\s+/g, " ");
  const title = firstSentence(text).replace(/[.।…]+$/u, "");
  if (title.length <= longestTitle) return title;
  const cut = title.slice(0, longestTitle + 1);
  const atWord = cut.lastIndexOf(" ");
  return `${wholeCharacters(cut, atWord > longestTitle / 2 ? atWord : longestTitle).replace(/[\s,;:–-]+$/u, "")}…`;
}

/** A short one is an abbreviation or a call ("Mr.", "Hi."), and continues. */
function firstSentence(text: string): string {
  let end = 0;
  while (end < text.length) {
    const found = sentence.exec(text.slice(end))?.[0];
    if (found === undefined) return text;
    end += found.length;
    if (end >= shortestSentence) return text.slice(0, end);
    while (text[end] === " ") end += 1;
  }
  return text;
}

let segmenter: Intl.Segmenter | undefined;

export function countWords(text: string): number {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1;
  return count;
}
