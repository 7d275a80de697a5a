import { dayMilliseconds, dayNames, type Opening, type PostingTime } from "@reelscript/contract";
import type { SeenReel } from "./merge-reels.ts";
import { inOrderOfTime } from "./sample.ts";
import { hashtagsIn, tokensOf } from "./topics.ts";

/** Traits of a reel that may matter for its views; `null` means unknown. */
export interface Traits {
  /** 0 to 23, in the audience's time zone. */
  readonly hour: number | null;
  readonly durationSeconds: number | null;
  readonly hashtags: number | null;
  readonly topics: ReadonlySet<string> | null;
  readonly openings: ReadonlySet<Opening> | null;
  /** The words with which the titles of a series begin; empty for a caption without words. */
  readonly title: string | null;
  /** True if an earlier reel has the same caption. */
  readonly isRepost: boolean | null;
  /** Days since the reel before; `null` for the first one. */
  readonly pauseDays: number | null;
  /** Words spoken; 0 without speech. */
  readonly spokenWords: number | null;
  readonly wordsPerMinute: number | null;
  readonly spokenOpenings: ReadonlySet<Opening> | null;
}

/** Shorter captions are alike by chance. */
const shortestRepost = 25;
const titleWords = 2;
/** Fewer words are noise that a recognizer takes for speech. */
const fewestSpoken = 5;
const word = /[\p{L}\p{M}\p{N}'’]+/gu;

/** The traits of all reels of a collection; a repost and a pause depend on the other reels. */
export function traitsOf(reels: readonly SeenReel[], timezone: string): ReadonlyMap<SeenReel, Traits> {
  const localTime = createLocalTime(timezone);
  const captions = new Set<string>();
  const traits = new Map<SeenReel, Traits>();
  let before: Date | null = null;
  for (const reel of reels.toSorted(inOrderOfTime)) {
    const { caption, postedAt, durationSeconds, spoken = null } = reel;
    const bare = caption === null ? "" : bareCaption(caption);
    const spokenWords = spoken === null ? null : (spoken.match(word)?.length ?? 0);
    const speaks = spokenWords !== null && spokenWords >= fewestSpoken;
    traits.set(reel, {
      hour: postedAt === null ? null : localTime(postedAt).hour,
      durationSeconds,
      hashtags: caption === null ? null : hashtagsIn(caption),
      topics: caption === null ? null : new Set(tokensOf(caption)),
      openings: caption === null ? null : openingsOf(caption),
      title: caption === null ? null : titleOf(bare),
      isRepost: caption === null ? null : bare.length >= shortestRepost && captions.has(bare),
      pauseDays:
        postedAt === null || before === null ? null : (postedAt.getTime() - before.getTime()) / dayMilliseconds,
      spokenWords: spokenWords !== null && !speaks ? 0 : spokenWords,
      wordsPerMinute:
        speaks && durationSeconds !== null && durationSeconds > 0 ? (60 * spokenWords) / durationSeconds : null,
      spokenOpenings: spoken === null || !speaks ? null : openingsOf(spoken),
    });
    if (caption !== null) captions.add(bare);
    before = postedAt ?? before;
  }
  return traits;
}

/** A caption without its hashtags and mentions, in lower case. */
const bareCaption = (caption: string): string =>
  caption
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[#＃@][\p{L}\p{M}\p{N}_.]+/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();

/** The first words of a caption without their numbers, so that "Day 3: soup" and "Day 4: rice" share theirs. */
function titleOf(bare: string): string {
  const first = bare.split(/[:|–—\n]/u, 1)[0] ?? "";
  const words = (first.match(word) ?? []).filter((one) => !/^\p{N}+$/u.test(one));
  return words.slice(0, titleWords).join(" ");
}

/** Characters that are read of a text; a first sentence is rarely longer. */
const readCharacters = 160;
const numberWithin = 6;
const sentenceEnd = /[.!\n。！।?？؟]/u;
const questionMark = /[?？؟]/u;
const tag = /[#＃@][\p{L}\p{M}\p{N}_.]+/gu;

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

export interface LocalTime {
  readonly dayOfWeek: PostingTime["dayOfWeek"];
  /** 0 to 23. */
  readonly hour: number;
  /** Midnight UTC of the day that the calendar shows there. */
  readonly day: Date;
}

/** Converts moments to clock and calendar of a time zone. */
export function createLocalTime(timezone: string): (moment: Date) => LocalTime {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    weekday: "long",
    hour: "2-digit",
    hourCycle: "h23",
  });
  return (moment) => {
    const parts = format.formatToParts(moment);
    const part = (type: string) => parts.find((one) => one.type === type)?.value;
    const dayOfWeek = dayNames.find((name) => name === part("weekday"));
    if (dayOfWeek === undefined) throw new Error(`no day of the week in ${format.format(moment)}`);
    const [year, month, day] = ["year", "month", "day"].map((type) => Number(part(type)));
    return { dayOfWeek, hour: Number(part("hour")), day: new Date(Date.UTC(year!, month! - 1, day)) };
  };
}
