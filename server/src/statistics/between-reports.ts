import {
  benchmarkedMetrics,
  type Benchmark,
  type ReportFindings,
  type StoredReportMetrics,
} from "@reelscript/contract";
import { halfInterval, marginErrors } from "./thresholds.ts";

type Intervals = NonNullable<ReportFindings["intervals"]>;

/** Margins around the figures of a report; if those of two reports don't overlap, the reports clearly differ. */
export function marginsOf(metrics: StoredReportMetrics, intervals: Intervals): Intervals {
  const margins: Intervals = {};
  for (const name of Object.keys(intervals) as (keyof Intervals)[]) {
    const value = metrics[name];
    const interval = intervals[name];
    if (value === undefined || interval === undefined || value <= 0 || interval.low <= 0) continue;
    // Reports are compared by ratios, so this is the error of the logarithm.
    const error = Math.log(interval.high / interval.low) / 2 / halfInterval;
    const factor = Math.exp(marginErrors * error);
    margins[name] = { low: value / factor, high: value * factor };
  }
  return margins;
}

/** The newest figures of another account. */
interface Other {
  readonly handle: string;
  readonly metrics: StoredReportMetrics;
}

/** Ranks a report's figures among those of other accounts' newest reports. */
export function benchmarksOf(metrics: StoredReportMetrics, others: readonly Other[]): Omit<Benchmark, "text">[] {
  return benchmarkedMetrics.flatMap((metric) => {
    const value = metrics[metric];
    const values = others.flatMap(({ handle, metrics: { [metric]: other } }) =>
      other === undefined || !isFrequency(metric, other) ? [] : [{ handle, value: other }],
    );
    if (value === undefined || !isFrequency(metric, value) || values.length === 0) return [];
    const [only] = values.length === 1 ? values : [];
    const shownValue = shownAs(metric, value);
    const same = values.filter((other) => shownAs(metric, other.value) === shownValue).length;
    return [
      {
        metric,
        value,
        above: values.filter((other) => shownAs(metric, other.value) < shownValue).length,
        ...(same > 0 && { same }),
        of: values.length,
        ...(only && { other: only }),
      },
    ];
  });
}

/** The value as reports show it: figures that look equal are. */
const shownAs = (metric: (typeof benchmarkedMetrics)[number], value: number): number =>
  metric === "medianViews" ? Number(value.toPrecision(3)) : Math.round(value * 10);

/** A frequency of 0 isn't known. */
const isFrequency = (metric: (typeof benchmarkedMetrics)[number], value: number): boolean =>
  metric !== "postingFrequencyPerWeek" || value > 0;
