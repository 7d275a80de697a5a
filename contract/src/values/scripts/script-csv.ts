import type { CsvColumns } from "../text/csv.ts";

interface TabledScript {
  readonly id: string;
  readonly reelUrl: string;
  readonly platform?: string | undefined;
  readonly account?: string | undefined;
  readonly language?: string | undefined;
  readonly postedAt?: string | undefined;
  readonly views?: number | undefined;
  readonly likes?: number | undefined;
  readonly comments?: number | undefined;
  readonly engagementRate?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly caption?: string | undefined;
  readonly hook?: string | undefined;
  readonly transcript: string;
  readonly translation?: { readonly text?: string | undefined } | undefined;
}

/** A script in a table, one row each; the transcript and its translation to English are whole. */
export const scriptCsvColumns: CsvColumns<TabledScript> = [
  ["url", ({ reelUrl }) => reelUrl],
  ["platform", ({ platform }) => platform],
  ["account", ({ account }) => account],
  ["language", ({ language }) => language],
  ["posted_at", ({ postedAt }) => postedAt],
  ["views", ({ views }) => views],
  ["likes", ({ likes }) => likes],
  ["comments", ({ comments }) => comments],
  ["engagement_rate_percent", ({ engagementRate }) => engagementRate && Number(engagementRate.toFixed(4))],
  ["tags", ({ tags }) => tags?.join("; ")],
  ["caption", ({ caption }) => caption],
  ["transcript", ({ transcript }) => transcript],
  // New columns come last, because programs may read by position.
  ["hook", ({ hook }) => hook],
  ["translation", ({ translation }) => translation?.text],
  ["id", ({ id }) => id],
];
