import { CompetitorReport, cutText, type TopReel } from "@reelscript/contract";
import { captionCharacters } from "./scripts.ts";
import type { OutputOf, ToolShape } from "./tool-shape.ts";

interface ReportInput {
  readonly id?: string;
  readonly handle?: string;
}

type Report = OutputOf<"getCompetitorReport">;
type Omitted = "weeks" | "comparisons" | "postingHours" | "margins" | "notCompared" | "steady" | "noDifference";

/** The blocks of the day stand for single hours, of which most rest on a reel or two. */
const omitted = {
  weeks: true,
  comparisons: true,
  postingHours: true,
  margins: true,
  notCompared: true,
  steady: true,
  noDifference: true,
} as const;

export const getCompetitorReport: ToolShape<Report, ReportInput, Omit<Report, Omitted>> = {
  call: ({ id, handle = "" }) => ({
    operation: "getCompetitorReport",
    input: { id: id ?? `@${handle.replace(/^@/, "")}` },
  }),
  answer: {
    schema: CompetitorReport.omit(omitted),
    from(output) {
      const {
        weeks: _weeks,
        comparisons: _comparisons,
        postingHours: _hours,
        margins: _margins,
        notCompared: _reason,
        steady: _steady,
        noDifference: _difference,
        ...report
      } = output;
      return {
        ...report,
        topReels: report.topReels.map(shortReel),
        ...(report.outliers && { outliers: report.outliers.map(shortReel) }),
        advice: report.advice.map((line) => ({ ...line, example: line.example && shortReel(line.example) })),
      };
    },
  },
};

const shortReel = (reel: TopReel): TopReel => ({
  ...reel,
  ...(reel.caption !== undefined && { caption: cutText(reel.caption, captionCharacters) }),
});
