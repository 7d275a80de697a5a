import { readCursor, writeCursor } from "../../describe/cursor.ts";
import type { Reports } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const listReportFigures =
  ({ reports }: { readonly reports: Reports }): Handler<"listReportFigures"> =>
  async ({ input: { limit, cursor }, caller }) => {
    const scope = ["report-figures", caller.account.id];
    const found = await reports.listFigures(caller.account.id, { limit, after: readCursor(scope, cursor) });
    return {
      reports: found.reports.map((report) => ({ ...report, createdAt: report.createdAt.toISOString() })),
      ...(found.next && { nextCursor: writeCursor(scope, found.next) }),
    };
  };
