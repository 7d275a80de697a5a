import type { CompetitorReport, Comparison } from "@reelscript/contract";
import { changeSince, percent, shortNumber } from "../../../format.ts";
import { comparisonWords } from "@reelscript/contract/values";
import { useEffect } from "react";
import { useOperationPages } from "../../../api/use-operation.ts";

type Margins = NonNullable<CompetitorReport["margins"]>;
type MarginName = keyof Margins;

/** A figure with its range; figures clearly differ if their ranges don't overlap. */
interface Estimate {
  readonly value: number;
  readonly margin: Margins[MarginName];
}

export const clearlyDiffer = ({ margin: one }: Estimate, { margin: other }: Estimate): boolean =>
  one !== undefined && other !== undefined && (one.high < other.low || other.high < one.low);

/** The index of the figure that is clearly above all other known ones; `undefined` if there is none. */
export function clearlyHighest(figures: readonly (Estimate | undefined)[]): number | undefined {
  const estimates = figures.filter((figure) => figure !== undefined);
  const highest = estimates.toSorted((one, other) => other.value - one.value)[0];
  return highest !== undefined &&
    estimates.length > 1 &&
    estimates.every((other) => other === highest || clearlyDiffer(highest, other))
    ? figures.indexOf(highest)
    : undefined;
}

export function estimateOf({ metric }: KeyFigure, { metrics, margins }: CompetitorReport): Estimate | undefined {
  const value = metrics[metric];
  return value === undefined ? undefined : { value, margin: metric === "avgViews" ? undefined : margins?.[metric] };
}

export interface KeyFigure {
  readonly name: string;
  /** The average of views has no margin, because single reels dominate it. */
  readonly metric: MarginName | "avgViews";
  readonly format: (value: number) => string;
}

const rounded = (value: number): string => shortNumber(value < 1_000 ? Math.round(value) : value);
const perWeek = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** Figures by which reports are compared. Older reports have only averages, which can't be compared with typical values. */
export const keyFigures: readonly KeyFigure[] = [
  { name: "Median views", metric: "medianViews", format: rounded },
  { name: "Average views", metric: "avgViews", format: rounded },
  { name: "Median likes", metric: "medianLikes", format: rounded },
  { name: "Median comments", metric: "medianComments", format: rounded },
  { name: "Engagement", metric: "avgEngagementRate", format: (value) => percent(value) },
  { name: "Reels per week", metric: "postingFrequencyPerWeek", format: (value) => perWeek.format(value) },
];

/** `+24%`, `+1.3 points`, `none`; `new` if there was nothing before. */
export function changeOf({ metric }: KeyFigure, now: number, before: number): string {
  // Percentages change by points.
  if (metric !== "avgEngagementRate") {
    if (before === 0 && now !== 0) return "new";
    const change = changeSince(now, before);
    return change === undefined || change === "as many" ? "none" : change;
  }
  const points = Math.round((now - before) * 10) / 10;
  // A true minus sign, as wide as the plus.
  return points === 0 ? "none" : `${points > 0 ? "+" : "\u2212"}${Math.abs(points).toFixed(1)} points`;
}

/** Takeaways as sentences. */
export interface TakeawayChanges {
  readonly new: readonly string[];
  readonly gone: readonly string[];
}

/**
 * Takeaways that appeared from one report to the next, and those that disappeared; `undefined` if one of the reports tested
 * nothing.
 */
export function changedTakeaways(
  before: readonly Comparison[] | undefined,
  now: readonly Comparison[] | undefined,
): TakeawayChanges | undefined {
  if (before === undefined || now === undefined) return undefined;
  const clear = (some: readonly Comparison[]) => some.filter((one) => one.clear);
  const missing = (some: readonly Comparison[], others: readonly Comparison[]): string[] =>
    clear(some)
      .filter((one) => !clear(others).some((other) => isSame(one, other)))
      .map((one) => comparisonWords(one).claim);
  return { new: missing(now, before), gone: missing(before, now) };
}

/** Overlapping blocks of hours count as the same takeaway if kind and direction are the same. */
const isSame = (one: Comparison, other: Comparison): boolean =>
  one.kind === other.kind && one.times > 1 === other.times > 1;

interface ReadPages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly refetch: () => Promise<unknown>;
}

/** Loads all pages if that is wanted; after an error the person decides when to retry. */
export function useReadOn(pages: ReadPages, isEnabled: boolean) {
  const { refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  const goesOn = isEnabled && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()) };
}

interface WantedReports {
  readonly enabled?: boolean;
  /** Every handle, without its platform. */
  readonly handle?: string;
}

/** Reports with their key figures, newest first; `undefined` until the last page has loaded. */
export function useAllReports({ enabled = true, handle }: WantedReports = {}) {
  const pages = useOperationPages("listReportFigures", { limit: 200, ...(handle && { handle }) }, { enabled });
  const { retry } = useReadOn(pages, enabled);
  const reports = pages.hasNextPage ? undefined : pages.data?.pages.flatMap((page) => page.reports);
  return { reports, error: pages.error, retry };
}
