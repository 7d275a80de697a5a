import type { Output } from "../operation-types.ts";
import { lines, showPercentage, showValue, table, shortenText, wrapText } from "./text.ts";
import type { Page } from "./surroundings.ts";

type Report = Output<"getCompetitorReport">;

export const reportTable = (reports: Output<"listCompetitorReports">["reports"], page: Page): string =>
  table(
    reports,
    [
      { title: "HANDLE", cell: ({ handle }) => `@${handle}` },
      { title: "REELS", right: true, cell: ({ reelsAnalyzed }) => showValue(reelsAnalyzed) },
      { title: "CREATED", cell: ({ createdAt }) => showValue(createdAt) },
      { title: "ID", cell: ({ id }) => id },
    ],
    page,
  );

/** A report as a page: averages, takeaways, posting times, most viewed reels. */
export function reportPage(report: Report, page: Page): string {
  const { handle, reelsAnalyzed, createdAt, insights, bestPostingTimes = [], topReels, timezone } = report;
  const sections = [
    [
      page.bold(`@${handle}`),
      `${showValue(reelsAnalyzed)} reels, ${showValue(createdAt)}`,
      "",
      metricLines(report, page),
    ],
    [page.bold("Takeaways"), ...insights.flatMap((insight) => bullet(insight, page))],
    bestPostingTimes.length > 0
      ? [page.bold(`Posting times (${timezone})`), postingTimeTable(bestPostingTimes, page)]
      : [],
    topReels.length > 0 ? [page.bold("Most viewed"), topReelTable(topReels, page)] : [],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

const metricLines = ({ metrics }: Report, page: Page): string =>
  lines(
    [
      ["Views", rounded(metrics.avgViews)],
      ["Likes", rounded(metrics.avgLikes)],
      ["Comments", rounded(metrics.avgComments)],
      ["Engagement", showPercentage(metrics.avgEngagementRate)],
      ["Reels a week", metrics.postingFrequencyPerWeek?.toFixed(1) ?? "–"],
    ],
    page,
  );

const bullet = (text: string, page: Page): string[] =>
  wrapText(text, page.width - 2).map((line, index) => `${index === 0 ? "•" : " "} ${line}`);

const postingTimeTable = (times: NonNullable<Report["bestPostingTimes"]>, page: Page): string =>
  table(
    times,
    [
      { title: "DAY", cell: ({ dayOfWeek }) => dayOfWeek },
      { title: "HOUR", right: true, cell: ({ hour }) => `${hour}:00` },
      { title: "VIEWS", right: true, cell: ({ avgViews }) => rounded(avgViews) },
    ],
    page,
  );

const topReelTable = (reels: Report["topReels"], page: Page): string =>
  table(
    reels,
    [
      { title: "VIEWS", right: true, cell: ({ views }) => showValue(views) },
      { title: "ENGAGED", right: true, cell: ({ engagementRate }) => showPercentage(engagementRate) },
      { title: "POSTED", cell: ({ postedAt }) => postedAt?.slice(0, 10) ?? "–" },
      { title: "REEL", cell: ({ url }) => url },
    ],
    page,
    ({ caption }) => (caption ? [page.dim(`  ${shortenText(caption, Math.min(page.width, 100) - 2)}`)] : []),
  );

const rounded = (value: number | undefined): string => showValue(value === undefined ? undefined : Math.round(value));
