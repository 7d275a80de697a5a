import { Spelling } from "../../../src/recognition/heads/spelling.ts";
import { WordGrams } from "../../../src/recognition/heads/word-grams.ts";
import { WordTree } from "../../../src/recognition/heads/word-tree.ts";
import { PathSearch } from "../../../src/recognition/heads/path-search.ts";

const units = ["", "|", "a", "b", "c"] as const;
export const spelling = new Spelling({ units: [...units], drop: ["-"], replace: { x: "b" } });

const settings = {
  wordWeight: 1,
  wordReward: 0,
  joinReward: -8,
  beam: 40,
  tokens: 500,
  sureBlank: -0.02,
} as const;

/** Bytes of a file of word pairs. `pairs`: [word before or "", word or "", P]; "" is the beginning or the end of a sentence. */
export function gramBytes(
  words: readonly string[],
  probabilities: readonly number[],
  pairs: readonly (readonly [string, string, number])[] = [],
): Uint8Array {
  const end = words.length;
  const wordOf = (word: string) => (word === "" ? end : words.indexOf(word));
  const heads = [...new Set(pairs.map(([before]) => before))].toSorted((one, other) => wordOf(one) - wordOf(other));
  const contexts = ["", ...heads.filter((word) => word !== "")];
  const contextOf = (word: string) => contexts.indexOf(word) + 1;
  const afterWord = (word: string) => (contexts.slice(1).includes(word) ? contextOf(word) : 0);
  const rows = contexts.map((context) =>
    pairs.filter(([before]) => before === context).toSorted(([, one], [, other]) => wordOf(one) - wordOf(other)),
  );
  const entries = rows.flat();
  const cost = (probability: number) => Math.round(-Math.log(probability) * 1000);
  const starts = [0, 0];
  for (const row of rows) starts.push(starts.at(-1)! + row.length);
  const longs = [
    0x4d4c5352,
    1,
    words.length,
    contexts.length + 1,
    entries.length,
    ...starts,
    0,
    ...contexts.map(() => 0),
    ...words.map(afterWord),
    ...entries.map(([, word]) => wordOf(word)),
    ...entries.map(([, word]) => (word === "" ? 0 : afterWord(word))),
  ];
  const shorts = [
    ...[...words, ""].map((_, index) => cost(probabilities[index] ?? 0.1)),
    0,
    ...contexts.map(() => cost(0.5)),
    ...entries.map(([, , probability]) => cost(probability)),
  ];
  return Buffer.concat([
    new Uint8Array(Uint32Array.from(longs).buffer),
    new Uint8Array(Uint16Array.from(shorts).buffer),
  ]);
}

/** Rows in which each unit of `sounds` ("_" is blank) is nearly sure; a digit after a unit lowers its share to so many tenths. */
export function rowsOf(sounds: string): Float32Array[] {
  const parts = sounds.match(/[_|a-c]\d?/gu) ?? [];
  return parts.map((part) => {
    const unit = part[0] === "_" ? 0 : units.indexOf(part[0] as (typeof units)[number]);
    const share = part[1] === undefined ? 0.99 : Number(part[1]) / 10;
    const rest = (1 - share) / (units.length - 1);
    return Float32Array.from(units, (_, index) => Math.log(index === unit ? share : rest));
  });
}

/** The words that the search finds in rows. */
export function findWords(
  rows: readonly Float32Array[],
  words: readonly string[],
  probabilities: readonly number[],
  pairs?: readonly (readonly [string, string, number])[],
) {
  const grams = new WordGrams(gramBytes(words, probabilities, pairs));
  const tree = new WordTree(words, spelling, (word) => grams.logProbabilityOf(word));
  const search = new PathSearch(tree, grams, settings);
  for (const row of rows) search.step(row);
  return search.finish()?.words.map(({ word, first, last }) => ({ text: words[word]!, first, last }));
}
