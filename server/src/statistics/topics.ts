import * as stopwords from "stopword";
import type { SeenReel } from "./merge-reels.ts";
import { fewestOfTopic, leastTopicShare, mostAlikeTopics, mostTokens, mostTopics } from "./thresholds.ts";

const token = /[#@]?[\p{L}\p{M}\p{N}_]{3,}/gu;
/** Writing systems without spaces between words, where a run of letters is not a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const hashtag = /[#＃][\p{L}\p{N}_]/gu;

const stopwordLists: object = stopwords;
/** Function words such as `the` in any language. They aren't topics, but a hashtag always is. */
const functionWords: ReadonlySet<string> = new Set(
  (Object.values(stopwordLists) as readonly unknown[])
    .filter((list): list is readonly string[] => Array.isArray(list))
    .flat()
    .map(normal),
);

function normal(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("＃", "#");
}

/** Hashtags in a caption, full-width ones too. */
export const hashtagsIn = (caption: string): number => caption.match(hashtag)?.length ?? 0;

/** The words and hashtags of a caption that could be topics, each once, hashtags first. */
export function tokensOf(caption: string): string[] {
  const tokens = new Set(normal(caption).match(token));
  const tags = [...tokens].filter((one) => one.startsWith("#"));
  const words = [...tokens].filter(
    (one) => /^[^#]/.test(one) && /\p{L}/u.test(one) && !unspaced.test(one) && !functionWords.has(one),
  );
  return [...tags, ...words].slice(0, mostTokens);
}

export interface Topic {
  readonly name: string;
  /** 1 for a reel with the topic, 0 for one without, -1 if the caption isn't known. */
  readonly isIn: readonly (-1 | 0 | 1)[];
}

/**
 * Finds words that recur in many captions but not in nearly all of them, the most frequent first; of two that nearly always
 * occur together the rarer one is left out.
 */
export function topicsOf(reels: readonly SeenReel[]): Topic[] {
  const tokens = reels.map(({ caption }) => (caption === null ? undefined : new Set(tokensOf(caption))));
  const captions = tokens.filter((one) => one !== undefined);
  const counts = new Map<string, number>();
  for (const one of captions) for (const name of one) counts.set(name, (counts.get(name) ?? 0) + 1);
  const fewest = Math.max(fewestOfTopic, leastTopicShare * captions.length);
  const frequent = [...counts]
    .filter(([, count]) => count >= fewest && count <= captions.length - fewest)
    .toSorted(([one, count], [other, otherCount]) => otherCount - count || rank(one, other));
  const chosen: Topic[] = [];
  for (const [name] of frequent) {
    if (chosen.length === mostTopics) break;
    const isIn = tokens.map((one) => (one === undefined ? -1 : one.has(name) ? 1 : 0));
    if (chosen.every((topic) => likeness(topic.isIn, isIn) <= mostAlikeTopics)) chosen.push({ name, isIn });
  }
  return chosen;
}

/** A hashtag says what a reel is about more clearly than a word. */
const rank = (one: string, other: string): number =>
  Number(other.startsWith("#")) - Number(one.startsWith("#")) || (one < other ? -1 : 1);

/** Jaccard: the share of the reels with one of the two that have both. */
function likeness(one: Topic["isIn"], other: Topic["isIn"]): number {
  let both = 0;
  let either = 0;
  for (let index = 0; index < one.length; index += 1) {
    const first = one[index] === 1;
    const second = other[index] === 1;
    both += Number(first && second);
    either += Number(first || second);
  }
  return either === 0 ? 0 : both / either;
}
