import { CompetitorReport, cutText, type TopReel } from "@reelscript/contract";
import { captionCharacters } from "./scripts.ts";
import type { OutputOf, ToolShape } from "./tool-shape.ts";

interface ReportInput {
  readonly id?: string;
  readonly handle?: string;
  readonly from?: "library";
}

type Report = OutputOf<"getCompetitorReport">;

/**
 * Fields that a model gets. Other fields are in words in `insights`, and blocks of the day replace single hours, most of which
 * rest on a reel or two.
 */
const Summary = CompetitorReport.pick({
  id: true,
  handle: true,
  createdAt: true,
  reelsAnalyzed: true,
  timezone: true,
  metrics: true,
  advice: true,
  insights: true,
  bestPostingTimes: true,
  postingBlocks: true,
  topReels: true,
  outliers: true,
  firstPostedAt: true,
  lastPostedAt: true,
});

export const getCompetitorReport: ToolShape<Report, ReportInput, ReportSummary> = {
  call: ({ id, handle = "", from }) => ({
    operation: "getCompetitorReport",
    input: { id: id ?? `@${handle.replace(/^@/, "")}`, ...(from && { from }) },
  }),
  answer: {
    schema: Summary,
    from: (report) => ({
      id: report.id,
      handle: report.handle,
      createdAt: report.createdAt,
      reelsAnalyzed: report.reelsAnalyzed,
      timezone: report.timezone,
      firstPostedAt: report.firstPostedAt,
      lastPostedAt: report.lastPostedAt,
      metrics: report.metrics,
      advice: report.advice.map((line) => ({ ...line, example: line.example && shortReel(line.example) })),
      insights: report.insights,
      bestPostingTimes: report.bestPostingTimes,
      postingBlocks: report.postingBlocks,
      topReels: report.topReels.map(shortReel),
      outliers: report.outliers?.map(({ url, multiple }) => ({ url, multiple })),
    }),
  },
};

type ReportSummary = Pick<Report, keyof typeof Summary.shape>;

const shortReel = (reel: TopReel): TopReel => ({
  ...reel,
  ...(reel.caption !== undefined && { caption: cutText(reel.caption, captionCharacters) }),
});
