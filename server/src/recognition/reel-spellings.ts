import type { ReelDetails } from "../ports.ts";

/** The recognizer leaves out everyday words and takes the first 40 that are left. */
const mostWords = 200;
const readCharacters = 4_000;
const wordPattern = /[\p{L}\p{M}]{3,40}/gu;
const addressPattern = /(?:https?:\/\/|www\.)\S+/giu;
const tagPattern = /[#@＃][\p{L}\p{M}\p{N}_.]+/gu;

/**
 * Words that the reel's account and caption spell, the account's names first, then tags and mentions, capitalized words, and all
 * others. They are the reel's own, so that a transcript is the same whoever asked for it.
 */
export function reelSpellings({
  caption,
  author: { handle, displayName },
}: Pick<ReelDetails, "caption" | "author">): string[] {
  const text = (caption ?? "").slice(0, readCharacters).normalize("NFC").replaceAll(addressPattern, " ");
  const tags = text.match(tagPattern) ?? [];
  const words = wordsOf(text);
  const isCapitalized = (word: string): boolean => /^\p{Lu}/u.test(word);
  return [
    ...new Set([
      ...wordsOf(displayName ?? ""),
      ...partsOf(handle ?? ""),
      ...tags.flatMap(partsOf),
      ...words.filter(isCapitalized),
      ...words.filter((word) => !isCapitalized(word)),
    ]),
  ].slice(0, mostWords);
}

const wordsOf = (text: string): readonly string[] => text.match(wordPattern) ?? [];

/** The words of a tag or a handle, which are written together: "#GordonRamsay" is two, each as a name begins. */
const partsOf = (tag: string): readonly string[] =>
  wordsOf(tag.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")).map(
    (word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
  );
