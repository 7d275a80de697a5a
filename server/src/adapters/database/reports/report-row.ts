import { ReportFindings } from "@reelscript/contract";
import type { Report } from "../../../ports.ts";
import { isAnything, isMoment, isNumber, isText } from "../engine/columns.ts";
import type { RowOf } from "../engine/statement.ts";

export const reportSummaryRow = { id: isText, handle: isText, createdAt: isMoment, reelsAnalyzed: isNumber };

export const reportRow = { ...reportSummaryRow, timezone: isText, findings: isAnything };

export const reportColumns = "id, handle, created_at, reels_analyzed, timezone, findings";

export const toReport = (row: RowOf<typeof reportRow>): Report => ({
  id: row.id,
  handle: row.handle,
  createdAt: row.createdAt,
  reelsAnalyzed: row.reelsAnalyzed,
  timezone: row.timezone,
  findings: ReportFindings.parse(row.findings),
});
