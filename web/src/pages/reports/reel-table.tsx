import type { TopReel, Comparison } from "@reelscript/contract";
import { useState, type ReactNode } from "react";
import { CaptionText, Moment } from "../../components/inline.tsx";
import { Icon } from "../../components/icon.tsx";
import { duration, exactNumber, percent, shortNumber, times, leadOf } from "../../format.ts";
import { csv, comparedBy, comparedGroup, displayedInterval, outcomeOf } from "@reelscript/contract/values";
import { NamedRows, ScrolledTable } from "../../components/scrolled-table.tsx";

const valueOrUnknown = <Value,>(value: Value | undefined, write: (value: Value) => ReactNode): ReactNode =>
  value === undefined ? <span className="visually-hidden">Not available</span> : write(value);

const columns = {
  views: { name: "Views", format: ({ views }: TopReel) => valueOrUnknown(views, exactNumber) },
  likes: { name: "Likes", format: ({ likes }: TopReel) => valueOrUnknown(likes, exactNumber) },
  comments: { name: "Comments", format: ({ comments }: TopReel) => valueOrUnknown(comments, exactNumber) },
  multiple: { name: "Multiple", format: ({ multiple }: TopReel) => valueOrUnknown(multiple, times) },
  engagementRate: {
    name: "Engagement",
    format: ({ engagementRate }: TopReel) => valueOrUnknown(engagementRate, (rate) => percent(rate, 2)),
  },
  durationSeconds: {
    name: "Length",
    format: ({ durationSeconds }: TopReel) => valueOrUnknown(durationSeconds, duration),
  },
  postedAt: {
    name: "Posted",
    format: ({ postedAt }: TopReel) => valueOrUnknown(postedAt, (at) => <Moment at={at} style="long" />),
  },
};
type ReelColumn = keyof typeof columns;
const columnNames = Object.keys(columns) as ReelColumn[];

export function ReelTable({ reels, handle }: { readonly reels: readonly TopReel[]; readonly handle: string }) {
  const [order, setOrder] = useState<ReelOrder>({ column: "views", descending: true });
  const visibleColumns = columnNames.filter((name) => reels.some((reel) => reel[name] !== undefined));
  const toggle = (column: ReelColumn): void =>
    setOrder((before) => ({ column, descending: before.column === column ? !before.descending : true }));
  return (
    <details className="closed-part">
      <summary>All figures of the top reels</summary>
      <h2 className="print-only">All figures of the top reels</h2>
      <ScrolledTable className="wide-table" label="All figures of the top reels">
        <NamedRows
          columns={[
            "Reel",
            ...visibleColumns.map((column) => {
              const sorted = order.descending ? ("descending" as const) : ("ascending" as const);
              const isSorted = order.column === column;
              const head = (
                <button type="button" className="sorter" onClick={() => toggle(column)}>
                  {columns[column].name}
                  {isSorted && <Icon name={order.descending ? "down" : "up"} small />}
                </button>
              );
              return { figures: head, sorted: isSorted ? sorted : undefined };
            }),
          ]}
          rows={sortReels(reels, order).map((reel) => [
            <ReelLink key={reel.url} reel={reel} handle={handle} />,
            ...visibleColumns.map((column) => columns[column].format(reel)),
          ])}
        />
      </ScrolledTable>
    </details>
  );
}

const ReelLink = ({ reel, handle }: { readonly reel: TopReel; readonly handle: string }) => (
  <a className="one-line" href={reel.url} target="_blank" rel="noopener noreferrer" title={reel.caption} dir="auto">
    <CaptionText text={leadOf(reel.caption, handle)} />
  </a>
);

interface ReelOrder {
  readonly column: ReelColumn;
  readonly descending: boolean;
}

/** Unknown values come last in both directions; equal ones keep their order. */
export function sortReels(reels: readonly TopReel[], { column, descending }: ReelOrder): readonly TopReel[] {
  const valueOf = (reel: TopReel): number | undefined => {
    const value = reel[column];
    return typeof value === "string" ? Date.parse(value) : value;
  };
  return reels.toSorted((one, other) => {
    const first = valueOf(one);
    const second = valueOf(other);
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return descending ? second - first : first - second;
  });
}

const csvColumns: readonly (readonly [string, (reel: TopReel) => string | number | undefined])[] = [
  ["url", ({ url }) => url],
  ["caption", ({ caption }) => caption],
  ["views", ({ views }) => views],
  ["likes", ({ likes }) => likes],
  ["comments", ({ comments }) => comments],
  ["engagement_rate_percent", ({ engagementRate }) => engagementRate && Number(engagementRate.toFixed(4))],
  ["posted_at", ({ postedAt }) => postedAt],
  ["duration_seconds", ({ durationSeconds }) => durationSeconds],
];

export const topReelsCsv = (reels: readonly TopReel[]): string => csv(csvColumns, reels);

const ratio = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Rounded outward, so that an interval that touches 1 is displayed as touching it. */
function intervalOf(comparison: Comparison): string {
  const { low, high } = displayedInterval(comparison);
  return `${ratio.format(low)} to ${ratio.format(high)}`;
}

/** Every comparison with its conclusion. */
export function ComparisonFigures({ comparisons }: { readonly comparisons: readonly Comparison[] }) {
  if (comparisons.length === 0) return undefined;
  return (
    <div>
      <h3 id="comparisons">Comparisons</h3>
      <p className="meta">The clearest of each kind, without the course of views over time.</p>
      <ScrolledTable className="wide-table comparisons" headingId="comparisons">
        <NamedRows
          columns={[
            "Group",
            "Compared by",
            { figures: "Reels" },
            { figures: "Median" },
            { figures: "Ratio" },
            { figures: "Interval" },
            "Clear",
          ]}
          rows={comparisons.map((comparison) => [
            <>
              {comparedGroup(comparison)}
              {comparison.conclusion !== undefined && <small>{comparison.conclusion}</small>}
            </>,
            `${comparedBy[comparison.kind]}, in ${outcomeOf(comparison)}`,
            `${comparison.reels} and ${comparison.otherReels}`,
            `${median(comparison, comparison.typical)} and ${median(comparison, comparison.otherTypical)}`,
            ratio.format(comparison.times),
            intervalOf(comparison),
            comparison.clear ? "Yes" : "No",
          ])}
        />
      </ScrolledTable>
    </div>
  );
}

const median = (comparison: Comparison, value: number): string =>
  outcomeOf(comparison) === "engagement" ? percent(value) : shortNumber(value);
