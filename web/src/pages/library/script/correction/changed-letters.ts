import { differences } from "@reelscript/contract/values";

export interface TextPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Compares two texts: letter by letter within similar words, otherwise word by word. */
export function changedLetters(original: string, text: string): readonly TextPart[] {
  const before = wordsIn(original);
  const after = wordsIn(text);
  const parts: TextPart[] = [];
  const add = (kind: TextPart["kind"], said: string): void => void (said !== "" && parts.push({ kind, text: said }));
  for (const difference of differences(before, after)) {
    const removed = before.slice(...difference.before).join("");
    const added = after.slice(...difference.after).join("");
    if (difference.same) {
      add("same", removed);
      continue;
    }
    const [begins, ends] = alike(removed, added);
    add("same", removed.slice(0, begins));
    add("removed", removed.slice(begins, removed.length - ends));
    // A replacement isn't compared letter by letter with the word before it.
    if (begins + ends === 0 && /\S$/u.test(removed) && /^\S/u.test(added)) add("same", " ");
    add("added", added.slice(begins, added.length - ends));
    add("same", removed.slice(removed.length - ends));
  }
  return parts;
}

const wordsIn = (text: string): readonly string[] => text.match(/\s+|[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Words that have less than this in common are compared as a whole. */
const leastInCommon = 0.4;

/** Longer runs of characters aren't words. */
const longestWord = 200;

/** How many characters two words share at their beginning and end. */
function alike(one: string, other: string): readonly [begins: number, ends: number] {
  if (Math.max(one.length, other.length) > longestWord) return [0, 0];
  const before = lettersIn(one);
  const after = lettersIn(other);
  const stretches = differences(before, after);
  const lengthOf = (letters: readonly string[]): number => letters.join("").length;
  const first = stretches[0];
  const last = stretches.at(-1);
  const begins = first?.same ? lengthOf(before.slice(...first.before)) : 0;
  const ends = last?.same && last !== first ? lengthOf(before.slice(...last.before)) : 0;
  return begins + ends < leastInCommon * Math.max(one.length, other.length) ? [0, 0] : [begins, ends];
}

let segmenter: Intl.Segmenter | undefined;

/** Keeps vowel signs with their letters, because they can't be shown alone. */
const lettersIn = (text: string): readonly string[] =>
  Array.from((segmenter ??= new Intl.Segmenter()).segment(text), ({ segment }) => segment);
