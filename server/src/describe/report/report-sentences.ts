import type { Benchmark, CompetitorReport, NotCompared, SteadyFigure } from "@reelscript/contract";
import { comparedGroup, comparisonWords, quoted } from "@reelscript/contract";

type Sentences = Pick<
  CompetitorReport,
  | "handle"
  | "advice"
  | "comparisons"
  | "notCompared"
  | "nextReel"
  | "outliersText"
  | "growing"
  | "engagementFrom"
  | "unknownValues"
  | "aboveViews"
  | "benchmarks"
  | "followers"
>;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const round = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });
/** An estimate has no more digits than it is sure of: 280K */
const estimate = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 2 });
/** 244K, as the dashboard shows counts. */
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const list = new Intl.ListFormat("en-US");

const counted = (count: number, one: string, many: string): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;

/** The takeaways of a report as sentences: what to do next, why, and the figures with what they are based on. */
export function reportSentences(report: Sentences, notes: readonly string[]): string[] {
  const { advice, comparisons = [], notCompared, nextReel, benchmarks = [], followers } = report;
  const clear = comparisons.filter((one) => one.clear).map(comparisonWords);
  return [
    ...advice.map(({ text, gain }) => (gain === undefined ? text : `${text} ${gain}`)),
    ...clear.map(({ claim, figures, sureness }) => `${claim} ${figures} ${sureness}`),
    ...(notCompared ? [notComparedSentence(notCompared)] : []),
    ...(clear.length === 0 && comparisons.length > 0 ? [nothingClear] : []),
    ...(nextReel === undefined ? [] : [nextReelSentence(nextReel)]),
    ...(report.outliersText === undefined ? [] : [report.outliersText]),
    ...(followers?.engagementRate === undefined
      ? []
      : [
          `By followers (${short.format(followers.followers)}), the average engagement is ${fine.format(followers.engagementRate)}%.`,
        ]),
    ...benchmarks.map(({ text }) => text),
    ...notes,
  ];
}

const nothingClear = "Nothing that was compared makes a difference to count on.";

/** Sentences for those who check a report: how often chance does this, and which traits make no difference. */
export function detailSentences({
  comparisons = [],
  steady = [],
  noDifference,
  outlierTopics = [],
  outliers = [],
}: Pick<CompetitorReport, "comparisons" | "steady" | "noDifference" | "outlierTopics" | "outliers">): string[] {
  return [
    ...comparisons.filter(({ clear }) => clear).map((one) => `${comparedGroup(one)}: ${comparisonWords(one).chance}`),
    ...(noDifference === undefined ? [] : [noDifference]),
    ...steady.map(steadySentence),
    ...(outliers.length > 1 && outlierTopics.length === 0
      ? ["What the captions of the reels that stood out share may be chance."]
      : []),
  ];
}

export function notComparedSentence({ reason, reels, needed }: NotCompared): string {
  switch (reason) {
    case "tooFewReels":
      return `Only ${counted(reels, "reel was", "reels were")} analyzed: at least ${needed} are needed to compare them.`;
    case "countsHidden":
      return "Nothing could be compared: the views and likes of these reels are hidden.";
    case "stillGrowing":
      return "Nothing could be compared: these reels are so new that their views still grow. Collect them again in a few days.";
    case "allAlike":
      return "Nothing could be compared: these reels have equal counts.";
  }
}

export function steadySentence({ kind, outcome, low, high }: SteadyFigure): string {
  const range = `${fine.format(Math.floor(low * 10) / 10)} to ${fine.format(Math.ceil(high * 10) / 10)} times`;
  return kind === "postingDays"
    ? `Day of the week: no difference (weekends get ${range} what other days get).`
    : `Posting often costs no ${outcome} per reel (soon after another reel they get ${range} what others get).`;
}

export const nextReelSentence = ({ outcome, typical, low, high }: NonNullable<CompetitorReport["nextReel"]>): string =>
  `The next reel will get about ${estimate.format(typical)} ${outcome}; 8 of 10 get between ${estimate.format(low)} and ${estimate.format(high)}.`;

export function outlierSentence({
  outliers = [],
  outlierCount = outliers.length,
  outlierTopics = [],
}: Pick<CompetitorReport, "outliers" | "outlierCount" | "outlierTopics">): string | undefined {
  const [first] = outliers;
  if (first === undefined) return undefined;
  if (outlierCount === 1)
    return `One reel got ${round.format(first.multiple ?? 0)} times what its neighbors got. One reel can’t be copied: look at what several share.`;
  const shared =
    outlierTopics.length > 0 ? `; most of them have ${list.format(outlierTopics.slice(0, 3).map(quoted))}` : "";
  return `${whole.format(outlierCount)} reels got more than 3 times what their neighbors got${shared}.`;
}

const benchmarkValues: Readonly<Record<Benchmark["metric"], (value: number) => string>> = {
  medianViews: (value) => short.format(value),
  avgEngagementRate: (value) => `${fine.format(value)}%`,
  postingFrequencyPerWeek: (value) => fine.format(value),
};

const benchmarkNames: Readonly<Record<Benchmark["metric"], (value: number) => string>> = {
  medianViews: (value) => `Median views ${benchmarkValues.medianViews(value)}`,
  avgEngagementRate: (value) => `Engagement ${benchmarkValues.avgEngagementRate(value)}`,
  postingFrequencyPerWeek: (value) => `${benchmarkValues.postingFrequencyPerWeek(value)} reels a week`,
};

/** A figure among those of the other accounts: `Median views 244K, above both other accounts in your reports.` */
export function benchmarkSentence({ metric, value, above, same = 0, of, other }: Omit<Benchmark, "text">): string {
  const figure = benchmarkNames[metric](value);
  if (other !== undefined) {
    const place = above > 0 ? "above" : same > 0 ? "the same as" : "below";
    return `${figure}, ${place} @${other.handle} (${benchmarkValues[metric](other.value)}).`;
  }
  return `${figure}, ${amongOthers({ above, same, of })} other accounts in your reports.`;
}

function amongOthers({ above, same, of }: Required<Pick<Benchmark, "above" | "same" | "of">>): string {
  const everybody = of === 2 ? "both" : `all ${whole.format(of)}`;
  if (above === of) return `above ${everybody}`;
  if (same === of) return `the same as ${everybody}`;
  if (above + same === 0) return `below ${everybody}`;
  return `above ${above === 0 ? "none" : whole.format(above)} of the ${whole.format(of)}`;
}

const valueNames = {
  caption: "captions",
  views: "views",
  likes: "likes",
  comments: "comments",
  postedAt: "dates",
  durationSeconds: "lengths",
} as const;

/** Notes on the figures of a report. */
export function noteSentences({
  comparisons = [],
  growing,
  engagementFrom,
  unknownValues = {},
  aboveViews = {},
}: Omit<Sentences, "advice" | "handle">): string[] {
  const unknown = Object.entries(unknownValues) as [keyof typeof valueNames, number][];
  const total = unknown.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...(comparisons.some(({ outcome }) => outcome === "likes")
      ? ["Too few views are known, so likes are compared."]
      : []),
    ...(engagementFrom === "likes" ? ["Comments are hidden: engagement is likes per view."] : []),
    ...(growing
      ? [
          `${counted(growing.reels, "reel is", "reels are")} younger than ${growing.days} days and still ${growing.reels === 1 ? "grows" : "grow"}${growing.leftOut > 0 ? `; ${whole.format(growing.leftOut)} of them ${growing.leftOut === 1 ? "isn’t" : "aren’t"} compared` : ""}.`,
        ]
      : []),
    ...(total > 0
      ? [
          `${counted(total, "value is", "values are")} out of range and ${total === 1 ? "counts" : "count"} as unknown: ${list.format(unknown.map(([name, count]) => `${valueNames[name]} of ${count}`))}.`,
        ]
      : []),
    ...Object.entries(aboveViews).map(
      ([name, count]) =>
        `${counted(count, "reel has", "reels have")} more ${name} than views, which is impossible: these ${name} count as unknown.`,
    ),
  ];
}
