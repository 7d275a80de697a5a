/** Comparisons that a report may have. */
export const comparisonKinds = [
  "postingHours",
  "postingDays",
  "length",
  "captionLength",
  "hashtags",
  "views",
  "engagement",
] as const;

interface Compared {
  readonly kind: (typeof comparisonKinds)[number];
  readonly hours?: { readonly from: number; readonly to: number } | undefined;
  readonly days?: readonly string[] | undefined;
  readonly upTo?: number | undefined;
  readonly above?: number | undefined;
  readonly clear: boolean;
  readonly times: number;
  readonly low: number;
  readonly high: number;
  readonly chance: number;
  readonly reels: number;
  readonly typical: number;
  readonly otherReels: number;
  readonly otherTypical: number;
}

/** Reports on fewer reels have nothing but averages and the most viewed reels. */
export const fewestReels = 12;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const finer = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const count = (value: number): string => (value < 100 ? fine : whole).format(value);
const times = (value: number): string => (value < 1 ? finer : fine).format(value);

/** `18:00–24:00` */
const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** The group that a comparison is of: `Reels posted 18:00–24:00`. */
export function comparedGroup({ kind, hours, days = [], upTo, above }: Compared): string {
  switch (kind) {
    case "postingHours":
      return hours === undefined
        ? "Reels"
        : `Reels posted ${clock(hours.from)}–${clock(hours.to === 0 ? 24 : hours.to)}`;
    case "postingDays":
      return `Reels posted on ${days.length === 1 ? `${days[0]}s` : days.length === 2 ? "weekends" : "weekdays"}`;
    case "length":
      return upTo === undefined ? `Reels over ${count(above ?? 0)} s` : `Reels of up to ${count(upTo)} s`;
    case "captionLength":
      return upTo === undefined
        ? `Reels with captions over ${count(above ?? 0)} characters`
        : `Reels with captions of up to ${count(upTo)} characters`;
    case "hashtags":
      return "Reels with hashtags";
    case "views":
    case "engagement":
      return "The newest reels";
  }
}

/** The noun for a comparison in a list: `time of day`. */
export const comparedBy: Readonly<Record<Compared["kind"], string>> = {
  postingHours: "time of day",
  postingDays: "day of the week",
  length: "length",
  captionLength: "caption length",
  hashtags: "hashtags",
  views: "views over time",
  engagement: "engagement over time",
};

/** The finding of a comparison, its figures, and how sure it is: a sentence or two each. */
export function comparisonWords(compared: Compared): {
  readonly claim: string;
  readonly figures: string;
  readonly sureness: string;
} {
  const { kind, chance, low, high, reels, typical, otherReels, otherTypical } = compared;
  const unit = kind === "engagement" ? "% engagement" : " views";
  const isTrend = kind === "views" || kind === "engagement";
  const [group, others] = isTrend ? ["the newest", "the oldest"] : ["these", "the other"];
  return {
    claim: claimOf(compared),
    figures: `Typically ${count(typical)}${unit} for ${group} ${whole.format(reels)}, ${count(otherTypical)}${kind === "engagement" ? "%" : ""} for ${others} ${whole.format(otherReels)}.`,
    sureness: `95% sure: between ${times(low)} and ${times(high)} times. Chance alone does this in ${oftenOf(chance)} reports.`,
  };
}

function claimOf(compared: Compared): string {
  const { kind, times: ratio } = compared;
  if (kind === "views") return ratio > 1 ? "Views are rising." : "Views are falling.";
  if (kind === "engagement") return ratio > 1 ? "Engagement is rising." : "Engagement is falling.";
  return `${comparedGroup(compared)} get ${times(ratio)} times the views.`;
}

/** `fewer than 1 of 500`, `about 3 of 100` */
function oftenOf(chance: number): string {
  if (chance <= 0.002) return "fewer than 1 of 500";
  return chance < 0.01 ? "fewer than 1 of 100" : `about ${Math.round(chance * 100)} of 100`;
}

/** The takeaways of a report as sentences. */
export function reportSentences(reelsAnalyzed: number, comparisons: readonly Compared[]): string[] {
  if (reelsAnalyzed < fewestReels)
    return [
      `Only ${whole.format(reelsAnalyzed)} ${reelsAnalyzed === 1 ? "reel was" : "reels were"} analyzed: at least ${fewestReels} are needed to say more than averages.`,
    ];
  const clear = comparisons.filter((one) => one.clear).map(comparisonWords);
  if (clear.length > 0) return clear.map(({ claim, figures, sureness }) => `${claim} ${figures} ${sureness}`);
  return [noClearDifference(comparisons)];
}

/** One sentence for all comparisons that are not clear: `No clear difference by length and hashtags.` */
export function noClearDifference(comparisons: readonly Compared[]): string {
  const names = comparisons.filter(({ clear }) => !clear).map(({ kind }) => comparedBy[kind]);
  if (names.length === 0) return "Nothing differs enough to be told from chance.";
  return `No clear difference by ${new Intl.ListFormat("en-US").format(names)}.`;
}
