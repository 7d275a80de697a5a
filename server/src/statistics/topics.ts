import * as stopwords from "stopword";
import { fewestOfTopic, leastTopicShare, mostAlikeTopics, mostSeries, mostTokens, mostTopics } from "./thresholds.ts";

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
    (one) => /^[^#\p{N}]/u.test(one) && /\p{L}/u.test(one) && !unspaced.test(one) && !functionWords.has(one),
  );
  return [...tags, ...words].slice(0, mostTokens);
}

/** Tags that ask a platform for readers and say nothing of a reel. */
const genericTag =
  /^#(?:fyp|fy|foryou|foryoupage|parati|paratii|pourtoi|perte|fürdich|viral|virales|trend|trending|explore|explorepage|reels?|reelsinstagram|instareels?|instagram|insta|instagood|instadaily|shorts?|ytshorts?|youtube|youtubeshorts|tiktok|capcut|xuhuong|xyzbca|keşfet|kesfet|рек|рекомендации|おすすめ|추천)(?:シ|viral|video|s|page|\d)*$/u;

/** Shorter parts of a handle are words like any other. */
const shortestName = 4;
/** A name without sign and spelling, by which a word and its hashtag are the same. */
export const plainName = (name: string): string => normal(name).replaceAll(/[^\p{L}\p{N}]/gu, "");

/** True for the account's own name, in whatever spelling, and for tags that every account uses. */
export function isNoTopic(handle: string): (name: string) => boolean {
  const whole = plainName(handle);
  const names = [whole, ...handle.split(/[._\d]+/u).map(plainName)].filter(({ length }) => length >= shortestName);
  return (name) => {
    const bare = plainName(name);
    return genericTag.test(name) || names.includes(bare) || (whole.length >= shortestName && bare.includes(whole));
  };
}

/**
 * Finds words that recur in many captions but not in nearly all of them, the most frequent first; of two that nearly always
 * occur together the rarer one is left out.
 */
export function topicsOf(captions: readonly ReadonlySet<string>[], handle: string): string[] {
  const isGeneric = isNoTopic(handle);
  const topics: string[] = [];
  for (const name of recurring(captions)) {
    if (topics.length === mostTopics) break;
    if (isGeneric(name)) continue;
    if (topics.every((topic) => likeness(captions, topic, name) <= mostAlikeTopics)) topics.push(name);
  }
  return topics;
}

/** True for words that begin any sentence, such as `do`, `you`, or `c'est`. */
const isFunctionWord = (word: string): boolean =>
  functionWords.has(word) ||
  word.split(/['’]/u).every((part) => functionWords.has(part) || /^\p{Script=Latin}$/u.test(part));

/** The first words that the titles of a series share, the most frequent first. */
export function seriesOf(titles: readonly string[], handle: string): string[] {
  const isGeneric = isNoTopic(handle);
  return recurring(titles.map((title) => new Set(title === "" ? [] : [title])))
    .filter((title) => !isGeneric(title) && !title.split(" ").every(isFunctionWord))
    .slice(0, mostSeries);
}

/** Names that recur in many sets but not in nearly all. */
function recurring(sets: readonly ReadonlySet<string>[]): string[] {
  const counts = new Map<string, number>();
  for (const one of sets) for (const name of one) counts.set(name, (counts.get(name) ?? 0) + 1);
  const fewest = Math.max(fewestOfTopic, leastTopicShare * sets.length);
  return [...counts]
    .filter(([, count]) => count >= fewest && count <= sets.length - fewest)
    .toSorted(([one, count], [other, otherCount]) => otherCount - count || rank(one, other))
    .map(([name]) => name);
}

/** A hashtag says what a reel is about more clearly than a word. */
const rank = (one: string, other: string): number =>
  Number(other.startsWith("#")) - Number(one.startsWith("#")) || (one < other ? -1 : 1);

/** Jaccard: the share of the sets with one of the two names that have both. */
function likeness(sets: readonly ReadonlySet<string>[], one: string, other: string): number {
  let both = 0;
  let either = 0;
  for (const names of sets) {
    const first = names.has(one);
    const second = names.has(other);
    both += Number(first && second);
    either += Number(first || second);
  }
  return either === 0 ? 0 : both / either;
}
