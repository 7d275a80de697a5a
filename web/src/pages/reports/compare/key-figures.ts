import type { CompetitorReport } from "@reelscript/contract";
import type { IntervalName } from "./clearly-highest.ts";
import { changeSince } from "../../../format/change-since.ts";
import { percent, shortNumber } from "../../../format/number.ts";

/** A figure of a report with its interval; `undefined` where it isn't known. */
export function estimateOf({ value, interval }: KeyFigure, { metrics, intervals }: CompetitorReport) {
  const known = value(metrics);
  return known === undefined ? undefined : { value: known, interval: interval && intervals?.[interval] };
}

type Metrics = CompetitorReport["metrics"];

export interface KeyFigure {
  readonly name: string;
  /** `undefined` where it is not known. */
  readonly value: (metrics: Metrics) => number | undefined;
  /** The name of its interval; none where single reels decide. */
  readonly interval?: IntervalName;
  readonly shown: (value: number) => string;
  /** It is a percentage itself, and changes by points. */
  readonly isShare?: true;
}

const rounded = (value: number): string => shortNumber(value < 1_000 ? Math.round(value) : value);
const perWeek = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** What reports are compared by. Older reports know averages alone, which no typical value can be compared with. */
export const keyFigures: readonly KeyFigure[] = [
  { name: "Typical views", interval: "medianViews", value: ({ medianViews }) => medianViews, shown: rounded },
  { name: "Average views", value: ({ avgViews }) => avgViews, shown: rounded },
  { name: "Typical likes", interval: "medianLikes", value: ({ medianLikes }) => medianLikes, shown: rounded },
  {
    name: "Typical comments",
    interval: "medianComments",
    value: ({ medianComments }) => medianComments,
    shown: rounded,
  },
  {
    name: "Engagement",
    interval: "avgEngagementRate",
    value: ({ avgEngagementRate }) => avgEngagementRate,
    shown: (value) => percent(value),
    isShare: true,
  },
  {
    name: "Reels per week",
    interval: "postingFrequencyPerWeek",
    value: ({ postingFrequencyPerWeek }) => postingFrequencyPerWeek,
    shown: (value) => perWeek.format(value),
  },
];

/** `+24%`, `+1.3 points`, `none`; `new` where there was nothing before. */
export function changeOf({ isShare }: KeyFigure, now: number, before: number): string {
  if (!isShare) {
    if (before === 0 && now !== 0) return "new";
    const change = changeSince(now, before);
    return change === undefined || change === "as many" ? "none" : change;
  }
  const points = Math.round((now - before) * 10) / 10;
  // A true minus sign, as wide as the plus.
  return points === 0 ? "none" : `${points > 0 ? "+" : "\u2212"}${Math.abs(points).toFixed(1)} points`;
}
