import { CompetitorReport, cutText } from "@reelscript/contract";
import { captionCharacters } from "./scripts.ts";
import type { OutputOf, ToolShape } from "./tool-shape.ts";

/** Settled reels of an hour that is shown: fewer say nothing of the hour. */
const fewestOfAnHour = 5;

interface ReportInput {
  readonly id?: string;
  readonly handle?: string;
}

type Report = OutputOf<"getCompetitorReport">;

export const getCompetitorReport: ToolShape<Report, ReportInput, Omit<Report, "weeks" | "comparisons">> = {
  call: ({ id, handle = "" }) => ({
    operation: "getCompetitorReport",
    input: { id: id ?? `@${handle.replace(/^@/, "")}` },
  }),
  answer: {
    schema: CompetitorReport.omit({ weeks: true, comparisons: true }),
    from(output) {
      const { weeks: _, comparisons: __, ...report } = output;
      return {
        ...report,
        topReels: report.topReels.map((reel) => ({
          ...reel,
          ...(reel.caption !== undefined && { caption: cutText(reel.caption, captionCharacters) }),
        })),
        postingHours: report.postingHours?.filter(({ settledReels = 0 }) => settledReels >= fewestOfAnHour),
      };
    },
  },
};
