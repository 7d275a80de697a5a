import type { FullScript } from "@reelscript/contract";
import { csv } from "../../../format/csv.ts";
import { longDate } from "../../../format/date.ts";

export const scriptsCsv = (scripts: readonly FullScript[]): string =>
  csv(
    [
      ["url", ({ reelUrl }) => reelUrl],
      ["account", ({ account }) => account],
      ["language", ({ language }) => language],
      ["posted_at", ({ postedAt }) => postedAt],
      ["views", ({ views }) => views],
      ["likes", ({ likes }) => likes],
      ["comments", ({ comments }) => comments],
      ["engagement_rate_percent", ({ engagementRate }) => engagementRate && Number(engagementRate.toFixed(4))],
      ["caption", ({ caption }) => caption],
      ["transcript", ({ transcript }) => transcript],
    ],
    scripts,
  );

/** One script after another, each under whose reel it is and where. */
export const scriptsText = (scripts: readonly FullScript[]): string =>
  scripts
    .map(({ account, postedAt, reelUrl, transcript }) => {
      const whose = account === undefined ? "Unknown account" : `@${account}`;
      const when = postedAt === undefined ? "" : `, ${longDate(postedAt)}`;
      return `${whose}${when}\n${reelUrl}\n\n${transcript || "(No speech in this reel)"}\n`;
    })
    .join("\n\n");
