import type { TopReel } from "@reelscript/contract";
import { csv } from "../../format/csv.ts";

const columns: readonly (readonly [string, (reel: TopReel) => string | number | undefined])[] = [
  ["url", ({ url }) => url],
  ["caption", ({ caption }) => caption],
  ["views", ({ views }) => views],
  ["likes", ({ likes }) => likes],
  ["comments", ({ comments }) => comments],
  ["engagement_rate_percent", ({ engagementRate }) => engagementRate && Number(engagementRate.toFixed(4))],
  ["posted_at", ({ postedAt }) => postedAt],
  ["duration_seconds", ({ durationSeconds }) => durationSeconds],
];

export const topReelsCsv = (reels: readonly TopReel[]): string => csv(columns, reels);
