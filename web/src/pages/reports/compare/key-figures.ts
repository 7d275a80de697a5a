import type { CompetitorReport } from "@reelscript/contract";
import { percent, shortNumber } from "../../../format/number.ts";

type Metrics = CompetitorReport["metrics"];

export interface KeyFigure {
  readonly name: string;
  /** `undefined` where it is not known. */
  readonly value: (metrics: Metrics) => number | undefined;
  readonly shown: (value: number) => string;
}

const rounded = (value: number): string => shortNumber(value < 1_000 ? Math.round(value) : value);
const perWeek = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** What reports are compared by. Older reports know averages alone, which no typical value can be compared with. */
export const keyFigures: readonly KeyFigure[] = [
  { name: "Typical views", value: ({ medianViews }) => medianViews, shown: rounded },
  { name: "Average views", value: ({ avgViews }) => avgViews, shown: rounded },
  { name: "Typical likes", value: ({ medianLikes }) => medianLikes, shown: rounded },
  { name: "Typical comments", value: ({ medianComments }) => medianComments, shown: rounded },
  { name: "Engagement", value: ({ avgEngagementRate }) => avgEngagementRate, shown: (value) => percent(value) },
  {
    name: "Reels per week",
    value: ({ postingFrequencyPerWeek }) => postingFrequencyPerWeek,
    shown: (value) => perWeek.format(value),
  },
];
