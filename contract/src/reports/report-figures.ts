import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { operation } from "../operation.ts";
import { CompetitorReportSummary, ReportMetrics } from "./report.ts";

const most = 200;

export const listReportFigures = operation({
  summary: "List the competitor reports with their key figures",
  description: "The reports of the account with their averages, newest first; `nextCursor` leads to older ones.",
  tag: "Reports",
  access: "session",
  http: { method: "GET", path: "/report-figures" },
  input: z.object({ cursor: Cursor.optional(), limit: z.int().min(1).max(most).default(50) }),
  output: z.object({
    reports: z.array(CompetitorReportSummary.extend({ metrics: ReportMetrics })),
    nextCursor: NextCursor,
  }),
  errors: [],
  example: {},
});
