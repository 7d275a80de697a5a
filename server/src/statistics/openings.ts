import type { Opening } from "@reelscript/contract";

/** Characters that are read of a text; a first sentence is rarely longer. */
const readCharacters = 160;
const numberWithin = 6;
const sentenceEnd = /[.!\n。！।?？؟]/u;
const questionMark = /[?？؟]/u;
const tag = /[#＃@][\p{L}\p{M}\p{N}_.]+/gu;
const word = /[\p{L}\p{M}\p{N}'’]+/gu;

/** The first persons of the most frequent languages, in lower case. */
const firstPersons: ReadonlySet<string> = new Set(
  (
    "i i'm i've i'd i'll my me we we're we've our us yo mi mis nosotros nuestro nuestra ich mein meine wir unser unsere " +
    "je j'ai mon ma mes nous notre eu meu minha nós nosso io mio mia noi я мой моя мы मैं मेरा मेरी मेरे हम tôi mình aku saya kami ben benim biz"
  ).split(" "),
);
const howTo =
  /^(?:here(?:'|’)?s )?(?:how (?:to|i|we|you)\b|cómo |como (?:fazer|hacer)|wie (?:du|man|ich)\b|comment |come (?:fare|si)\b|cách |cara |कैसे|как )/u;

/** The kinds of opening that a text has; empty for one without words. */
export function openingsOf(text: string): ReadonlySet<Opening> {
  const read = text.slice(0, readCharacters).normalize("NFC").toLowerCase().replaceAll(tag, " ").trim();
  const end = read.search(sentenceEnd);
  const sentence = end === -1 ? read : read.slice(0, end + 1);
  const words = sentence.replaceAll("’", "'").match(word) ?? [];
  const openings = new Set<Opening>();
  if (words.length === 0) return openings;
  if (questionMark.test(sentence)) openings.add("question");
  if (words.slice(0, numberWithin).some((one) => /^\p{N}/u.test(one))) openings.add("number");
  if (words.slice(0, numberWithin).some((one) => firstPersons.has(one))) openings.add("firstPerson");
  if (howTo.test(sentence.replace(/^[^\p{L}]+/u, ""))) openings.add("howTo");
  return openings;
}
