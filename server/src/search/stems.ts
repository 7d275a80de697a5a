import type { Language } from "@reelscript/contract/values";
import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as tamil } from "@orama/stemmers/tamil";

type Stemmer = (word: string) => string;

const latin: Partial<Record<Language, Stemmer>> = {
  en: english,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  it: italian,
  id: indonesian,
};

/** Stemmers by the script of a word's first letters. Telugu has none. */
const others: readonly (readonly [RegExp, Stemmer])[] = [
  [/^\p{Script=Devanagari}/u, hindi],
  [/^\p{Script=Tamil}/u, tamil],
  [/^\p{Script=Arabic}/u, arabic],
];

const latinWord = /^\p{Script=Latin}+$/u;
const shortestStem = 3;

const stemBy = (stemmer: Stemmer, word: string): string | undefined => {
  const stem = stemmer(word);
  return stem.length >= shortestStem ? stem : undefined;
};

/**
 * The stem of a folded word in a text of that language; `undefined` if there is none, or if the word is its own stem. Latin
 * words in a text of another script count as English.
 */
export function stemIn(language: string, word: string): string | undefined {
  if (word.length <= shortestStem) return undefined;
  const stemmer = latinWord.test(word)
    ? (latin[language as Language] ?? english)
    : others.find(([letters]) => letters.test(word))?.[1];
  const stem = stemmer && stemBy(stemmer, word);
  return stem === word ? undefined : stem;
}

/** The possible stems of a folded word in any language, including the word itself where it is its own stem. */
export function stemsOf(word: string): string[] {
  if (word.length < shortestStem) return [];
  const stemmers = latinWord.test(word)
    ? Object.values(latin)
    : others.filter(([letters]) => letters.test(word)).map(([, stemmer]) => stemmer);
  return [...new Set(stemmers.flatMap((stemmer) => stemBy(stemmer, word) ?? []))];
}

/** The longest prefix that all words share. */
export function commonBeginning(words: readonly string[]): string {
  const [first = "", ...rest] = words;
  let length = first.length;
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
