import type { Benchmark, CompetitorReport, NotCompared, SteadyFigure } from "@reelscript/contract";
import { comparisonWords, quoted } from "@reelscript/contract";

type Sentences = Pick<
  CompetitorReport,
  | "comparisons"
  | "notCompared"
  | "steady"
  | "nextReel"
  | "outliersText"
  | "growing"
  | "engagementFrom"
  | "unknownValues"
  | "noDifference"
  | "benchmarks"
>;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const round = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const list = new Intl.ListFormat("en-US");

const counted = (count: number, one: string, many: string): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;

/** The takeaways of a report as sentences: clear differences, unclear ones, and the basis of the figures. */
export function reportSentences(report: Sentences): string[] {
  const { comparisons = [], notCompared, steady = [], nextReel, benchmarks = [] } = report;
  const clear = comparisons.filter((one) => one.clear).map(comparisonWords);
  return [
    ...clear.map(({ claim, figures, sureness }) => `${claim} ${figures} ${sureness}`),
    ...(notCompared ? [notComparedSentence(notCompared)] : []),
    ...(report.noDifference === undefined ? [] : [report.noDifference]),
    ...steady.map(steadySentence),
    ...(nextReel === undefined ? [] : [nextReelSentence(nextReel)]),
    ...(report.outliersText === undefined ? [] : [report.outliersText]),
    ...benchmarks.map(benchmarkSentence),
    ...basisSentences(report),
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
  const range = `${fine.format(low)} to ${fine.format(high)} times`;
  return kind === "postingDays"
    ? `Day of the week: no difference (weekends get ${range} what other days get).`
    : `Posting often costs no ${outcome} per reel (soon after another reel they get ${range} what others get).`;
}

export const nextReelSentence = ({ outcome, typical, low, high }: NonNullable<CompetitorReport["nextReel"]>): string =>
  `The next reel will get about ${round.format(typical)} ${outcome}; 8 of 10 get between ${round.format(low)} and ${round.format(high)}.`;

export function outlierSentence({
  outliers = [],
  outlierTopics = [],
}: Pick<CompetitorReport, "outliers" | "outlierTopics">): string | undefined {
  const [first] = outliers;
  if (first === undefined) return undefined;
  if (outliers.length === 1)
    return `One reel got ${round.format(first.multiple ?? 0)} times what its neighbors got. One reel can't be copied: look at what several share.`;
  const shared =
    outlierTopics.length > 0
      ? `they share ${list.format(outlierTopics.slice(0, 3).map(quoted))}`
      : "their captions share nothing";
  return `${whole.format(outliers.length)} reels got more than 3 times what their neighbors got; ${shared}.`;
}

const benchmarkNames: Readonly<Record<Benchmark["metric"], (value: number) => string>> = {
  medianViews: (value) => `Median views ${whole.format(value)}`,
  avgEngagementRate: (value) => `Engagement ${fine.format(value)}%`,
  postingFrequencyPerWeek: (value) => `${fine.format(value)} reels a week`,
};

export function benchmarkSentence({ metric, value, above, of }: Omit<Benchmark, "text">): string {
  const place =
    of === 1
      ? `${above === 1 ? "above" : "not above"} your other account`
      : `above ${whole.format(above)} of your ${whole.format(of)} other accounts`;
  return `${benchmarkNames[metric](value)}: ${place}.`;
}

const valueNames = {
  caption: "captions",
  views: "views",
  likes: "likes",
  comments: "comments",
  postedAt: "dates",
  durationSeconds: "lengths",
} as const;

function basisSentences({ comparisons = [], growing, engagementFrom, unknownValues = {} }: Sentences): string[] {
  const unknown = Object.entries(unknownValues) as [keyof typeof valueNames, number][];
  const total = unknown.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...(comparisons.some(({ outcome }) => outcome === "likes")
      ? ["Too few views are known, so likes are compared."]
      : []),
    ...(engagementFrom === "likes" ? ["Comments are hidden: engagement is likes per view."] : []),
    ...(growing
      ? [
          `${counted(growing.reels, "reel is", "reels are")} younger than ${growing.days} days and still ${growing.reels === 1 ? "grows" : "grow"}${growing.leftOut > 0 ? `; ${whole.format(growing.leftOut)} of them ${growing.leftOut === 1 ? "isn't" : "aren't"} compared` : ""}.`,
        ]
      : []),
    ...(total > 0
      ? [
          `${counted(total, "value is", "values are")} out of range and ${total === 1 ? "counts" : "count"} as unknown: ${list.format(unknown.map(([name, count]) => `${valueNames[name]} of ${count}`))}.`,
        ]
      : []),
  ];
}
