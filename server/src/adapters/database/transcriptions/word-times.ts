import type { Word } from "../../../ports.ts";
// oxlint-disable-next-line no-restricted-imports -- lengths are those of the text as it will be stored
import { storable } from "../engine/storable.ts";

/** What the database's integers hold. */
const latest = 2_147_483_647;

/**
 * Three numbers for each word: the length of its text and its start and end in milliseconds. `null` when there are no words,
 * or when they do not join to the text.
 */
export function writeWords(text: string, words: readonly Word[] | null): number[] | null {
  if (words === null || words.length === 0) return null;
  const texts = words.map((word) => storable(word.text));
  if (texts.join("") !== storable(text)) return null;
  return words.flatMap(({ start, end }, index) => [texts[index]!.length, milliseconds(start), milliseconds(end)]);
}

/** The words of the same text again, but for those whose times were lost with a correction: they are negative. */
export function readWords(text: string, stored: readonly number[] | null): Word[] | null {
  if (stored === null) return null;
  const words: Word[] = [];
  let place = 0;
  for (let at = 0; at + 2 < stored.length; at += 3) {
    const next = place + stored[at]!;
    if (stored[at + 1]! >= 0)
      words.push({ text: text.slice(place, next), start: stored[at + 1]! / 1_000, end: stored[at + 2]! / 1_000 });
    place = next;
  }
  return words;
}

const milliseconds = (seconds: number): number => Math.min(latest, Math.max(0, Math.round(seconds * 1_000) || 0));
