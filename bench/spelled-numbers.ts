import type { Language } from "@reelscript/contract";
import { toCardinal as arabic } from "n2words/ar-SA";
import { toCardinal as english } from "n2words/en-US";
import { toCardinal as french } from "n2words/fr-FR";
import { toCardinal as german } from "n2words/de-DE";
import { toCardinal as hindi } from "n2words/hi-IN";
import { toCardinal as indonesian } from "n2words/id-ID";
import { toCardinal as italian } from "n2words/it-IT";
import { toCardinal as portuguese } from "n2words/pt-PT";
import { toCardinal as spanish } from "n2words/es-US";
import { toCardinal as tamil } from "n2words/ta-IN";
import { toCardinal as telugu } from "n2words/te-IN";

const spell: Readonly<Record<Language, (digits: string) => string>> = {
  en: english,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
  it: italian,
  hi: hindi,
  ta: tamil,
  te: telugu,
  ar: arabic,
  id: indonesian,
};

/** Longer ones aren't read as a single number. */
const mostDigits = 12;

/** A text with its numbers as words, so that digits and words for the same number count as equal. */
export const spelledNumbers = (text: string, language: Language): string =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Nd}/gu, latinDigit)
    .replaceAll(/(?<=\d)[.,\u{a0}\u{202f}](?=\d{3}(?!\d))/gu, "")
    .replaceAll(/\d+/gu, (digits) => (digits.length > mostDigits ? digits : ` ${spell[language](digits)} `));

/** Unicode has the digits of each script in a row that begins with its zero. */
function latinDigit(digit: string): string {
  const point = digit.codePointAt(0)!;
  let zero = point;
  while (point - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(point - zero);
}
