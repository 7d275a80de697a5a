/** Possible comparisons of a report. Only older reports have claims about days and the length of captions. */
export const comparisonKinds = [
  "postingHours",
  "postingDays",
  "length",
  "captionLength",
  "hashtags",
  "topic",
  "opening",
  "spokenOpening",
  "series",
  "repost",
  "pause",
  "speech",
  "pace",
  "views",
  "engagement",
] as const;

/** How the first sentence of a caption or of speech may begin. */
export const openings = ["question", "number", "firstPerson", "howTo"] as const;
export type Opening = (typeof openings)[number];

/** Counts by which reels are compared; engagement is a percentage. */
export const comparedOutcomes = ["views", "likes", "engagement"] as const;

/** The difference by which the reels of a comparison are divided. */
interface ComparedSubject {
  readonly kind: (typeof comparisonKinds)[number];
  readonly hours?: { readonly from: number; readonly to: number } | undefined;
  readonly days?: readonly string[] | undefined;
  readonly upTo?: number | undefined;
  readonly above?: number | undefined;
  readonly topic?: string | undefined;
  readonly opening?: Opening | undefined;
}

export interface Compared extends ComparedSubject {
  /** Absent in older reports, which compared only views, except for engagement over time. */
  readonly outcome?: (typeof comparedOutcomes)[number] | undefined;
  readonly clear: boolean;
  readonly sureness?: "sure" | "fairly sure" | undefined;
  readonly times: number;
  readonly low: number;
  readonly high: number;
  readonly chance: number;
  /** Probability that the next reels differ in the same direction; absent in older reports. */
  readonly again?: number | undefined;
  readonly reels: number;
  readonly typical: number;
  readonly otherReels: number;
  readonly otherTypical: number;
}

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const finer = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const count = (value: number): string => (value < 100 ? fine : whole).format(value);
const times = (value: number): string => (value < 2 ? finer : fine).format(value);
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
/** `136K`, as in lists; percentages and small counts have one decimal at most. */
const shortCount = (value: number): string => (value < 1_000 ? count(value) : compact.format(value));

const leastApart = 1.01;

/**
 * An interval as it is displayed: rounded outward, so that no digit that isn't shown makes it better than it is. It is apart if
 * it doesn't touch 1 even so.
 */
export function displayedInterval({ low, high }: { readonly low: number; readonly high: number }): {
  readonly low: number;
  readonly high: number;
  readonly isApart: boolean;
} {
  const digits = (value: number): number => (value < 2 ? 100 : 10);
  const interval = {
    low: Math.floor(low * digits(low) + 1e-9) / digits(low),
    high: Math.ceil(high * digits(high) - 1e-9) / digits(high),
  };
  return { ...interval, isApart: interval.low >= leastApart || interval.high <= 1 / leastApart };
}

/** `18:00` */
const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** `18:00–24:00` */
export const clockHours = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  `${clock(from)}–${clock(to === 0 ? 24 : to)}`;

export const outcomeOf = ({ kind, outcome }: Compared): (typeof comparedOutcomes)[number] =>
  outcome ?? (kind === "engagement" ? "engagement" : "views");

const isTrend = ({ kind }: Compared): boolean => kind === "views" || kind === "engagement";

/** The group of a comparison: `Reels posted 18:00–24:00`. */
export function comparedGroup({ kind, hours, days = [], upTo, above, topic, opening }: ComparedSubject): string {
  switch (kind) {
    case "postingHours":
      return hours === undefined ? "Reels" : `Reels posted ${clockHours(hours)}`;
    case "postingDays":
      return `Reels posted on ${days.length === 1 ? `${days[0]}s` : days.length === 2 ? "weekends" : "weekdays"}`;
    case "length":
      return upTo === undefined ? `Reels over ${count(above ?? 0)} s` : `Reels of up to ${count(upTo)} s`;
    case "captionLength":
      return upTo === undefined
        ? `Reels with captions over ${count(above ?? 0)} characters`
        : `Reels with captions of up to ${count(upTo)} characters`;
    case "hashtags":
      return `Reels ${hashtagWords({ upTo, above })}`;
    case "topic":
      return `Reels with ${quoted(topic ?? "")}`;
    case "opening":
      return `Reels whose caption ${openingWords[opening ?? "question"]}`;
    case "spokenOpening":
      return `Reels whose speech ${openingWords[opening ?? "question"]}`;
    case "series":
      return `Reels of the series ${quoted(topic ?? "")}`;
    case "repost":
      return "Reels with the caption of an earlier one";
    case "pause":
      return upTo === undefined
        ? `Reels more than ${pauseWords(above ?? 0)} after the one before`
        : `Reels at most ${pauseWords(upTo)} after the one before`;
    case "speech":
      return upTo === undefined ? "Reels with speech" : "Reels without speech";
    case "pace":
      return upTo === undefined
        ? `Reels with more than ${whole.format(above ?? 0)} words a minute`
        : `Reels with up to ${whole.format(upTo)} words a minute`;
    case "views":
    case "engagement":
      return "The newest reels";
  }
}

const openingWords: Readonly<Record<Opening, string>> = {
  question: "begins with a question",
  number: "begins with a number",
  firstPerson: "begins in the first person",
  howTo: "begins with how to do something",
};

const pauseWords = (days: number): string =>
  days < 2 ? `${whole.format(Math.max(1, days * 24))} hours` : `${fine.format(days)} days`;

const hashtagWords = ({ upTo, above }: Pick<Compared, "upTo" | "above">): string => {
  if (upTo !== undefined)
    return upTo < 1 ? "without hashtags" : `with at most ${count(upTo)} ${upTo < 2 ? "hashtag" : "hashtags"}`;
  return above === undefined || above < 1
    ? "with hashtags"
    : `with more than ${count(above)} ${above < 2 ? "hashtag" : "hashtags"}`;
};

/** A hashtag is written as it is, a word is quoted. */
export const quoted = (topic: string): string => (/^[#@]/.test(topic) ? topic : `“${topic}”`);

/** The noun for a comparison in a list: `time of day`. */
export const comparedBy: Readonly<Record<Compared["kind"], string>> = {
  postingHours: "time of day",
  postingDays: "day of the week",
  length: "length",
  captionLength: "caption length",
  hashtags: "hashtags",
  topic: "topic",
  opening: "first words of the caption",
  spokenOpening: "first spoken words",
  series: "series",
  repost: "reposts",
  pause: "days since the last reel",
  speech: "speech",
  pace: "words per minute",
  views: "views over time",
  engagement: "engagement over time",
};

const fractions: readonly (readonly [number, string])[] = [
  [1 / 10, "a tenth of"],
  [1 / 5, "a fifth of"],
  [1 / 4, "a quarter of"],
  [1 / 3, "a third of"],
  [1 / 2, "half"],
  [2 / 3, "two thirds of"],
  [3 / 4, "three quarters of"],
  [4 / 5, "four fifths of"],
  [9 / 10, "nine tenths of"],
];

/** `1.6 times the views`, `about half the views`. */
export function ratioWords(ratio: number, what: string): string {
  if (ratio >= 1) return `${times(ratio)} times the ${what}`;
  const distance = ([value]: readonly [number, string]): number => Math.abs(Math.log(value / ratio));
  const [nearest] = fractions.toSorted((one, other) => distance(one) - distance(other));
  return `about ${nearest![1]} the ${what}`;
}

/** The finding of a comparison, its figures, how certain it is, and how often chance does it: a sentence each. */
export function comparisonWords(compared: Compared): {
  readonly claim: string;
  readonly figures: string;
  readonly sureness: string;
  readonly chance: string;
} {
  const { chance, reels, typical, otherReels, otherTypical, sureness } = compared;
  const outcome = outcomeOf(compared);
  const [unit, otherUnit] = outcome === "engagement" ? ["% engagement", "%"] : [` ${outcome}`, ""];
  const [group, others] = isTrend(compared) ? ["the newest", "the oldest"] : ["these", "the other"];
  const between = intervalWords(compared);
  return {
    claim: claimOf(compared),
    figures: `Typically ${shortCount(typical)}${unit} for ${group} ${whole.format(reels)}, ${shortCount(otherTypical)}${otherUnit} for ${others} ${whole.format(otherReels)}.`,
    sureness: sureness === undefined ? `B${between}` : `${sureness === "sure" ? "Sure" : "Fairly sure"}: b${between}`,
    chance: `Chance alone does this in ${oftenOf(chance)} reports.`,
  };
}

function intervalWords(compared: Compared): string {
  const { low, high } = displayedInterval(compared);
  return `etween ${times(low)} and ${times(high)} times${compared.again === undefined ? "" : " on the next reels"}.`;
}

function claimOf(compared: Compared): string {
  const { reels, otherReels } = compared;
  const ratio = ratioWords(compared.times, outcomeOf(compared));
  if (isTrend(compared))
    return `The newest ${whole.format(reels)} typically got ${ratio} of the oldest ${whole.format(otherReels)}.`;
  return `${comparedGroup(compared)} get ${ratio}.`;
}

/** `About 1.4 times the views; at least 1.2.`: what the better side of a comparison gains. The least is rounded down. */
export function gainWords(compared: Compared): string {
  const isMore = compared.times > 1;
  const gain = isMore ? compared.times : 1 / compared.times;
  const least = Math.floor((isMore ? compared.low : 1 / compared.high) * 10 + 1e-9) / 10;
  const about = `About ${(gain < 1.1 ? finer : fine).format(gain)} times the ${outcomeOf(compared)}`;
  return least >= 1.1
    ? `${about}; at least ${fine.format(least)}.`
    : `${about}; ${compared.sureness === "sure" ? "at least" : "perhaps only"} a little more than now.`;
}

interface AlsoCompared extends ComparedSubject {
  readonly lacks?: boolean | undefined;
}

/** Other differences of the same reels: `The same reels are also those with #rye and those without “10k”; …` */
export function alsoWords(also: readonly AlsoCompared[]): string {
  const groups = also.map(
    (one) => `those ${(one.lacks === true ? otherGroup(one) : comparedGroup(one)).replace(/^Reels /u, "")}`,
  );
  return `The same reels are also ${new Intl.ListFormat("en-US").format(groups)}, which may be the cause as well.`;
}

/** The reels outside a comparison's group. */
function otherGroup({ kind, hours, upTo, above, topic, opening }: ComparedSubject): string {
  if (upTo !== undefined) return comparedGroup({ kind, above: upTo });
  if (above !== undefined) return comparedGroup({ kind, upTo: above });
  if (kind === "hashtags" || kind === "speech") return comparedGroup({ kind, upTo: 0 });
  const group = comparedGroup({ kind, hours, topic, opening }).replace(/^Reels /u, "");
  return group.startsWith("with ") ? `without ${group.slice("with ".length)}` : `not ${group}`;
}

/** The conclusion of a comparison, in one sentence. */
export function conclusionOf(compared: Compared): string {
  if (!compared.clear) {
    const { low, high } = displayedInterval(compared);
    return low < 1 && high > 1
      ? `No difference to count on: the next reels may get ${times(low)} to ${times(high)} times.`
      : "Too uncertain to count on.";
  }
  const { claim } = comparisonWords(compared);
  const { low, high } = displayedInterval(compared);
  return `${claim.slice(0, -1)}, and the next ones ${times(low)} to ${times(high)} times.`;
}

/** `fewer than 1 of 500`, `about 3 of 100` */
function oftenOf(chance: number): string {
  if (chance <= 0.002) return "fewer than 1 of 500";
  return chance < 0.01 ? "fewer than 1 of 100" : `about ${Math.round(chance * 100)} of 100`;
}

/** One sentence for all unclear comparisons: `No clear difference by length and hashtags.` */
export function noClearDifference(comparisons: readonly Compared[]): string {
  const kindsOf = (clear: boolean): string[] =>
    comparisons
      .filter((one) => one.clear === clear)
      .map((one) => (one.kind === "views" ? `${outcomeOf(one)} over time` : comparedBy[one.kind]));
  const clear = new Set(kindsOf(true));
  const names = [...new Set(kindsOf(false))].filter((name) => !clear.has(name));
  if (names.length === 0) return "Nothing differs enough to be told from chance.";
  return `No clear difference by ${new Intl.ListFormat("en-US").format(names)}.`;
}
