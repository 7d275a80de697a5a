import type { Reports } from "../../ports.ts";
import { readCursor, writeCursor } from "../../describe/cursor.ts";
import type { Handler } from "../../run/run.ts";

export const listCompetitorReports =
  ({ reports }: { readonly reports: Reports }): Handler<"listCompetitorReports"> =>
  async ({ input: { limit, cursor }, caller }) => {
    const scope = ["reports", caller.account.id];
    const found = await reports.list(caller.account.id, { limit, after: readCursor(scope, cursor) });
    return {
      reports: found.reports.map((report) => ({ ...report, createdAt: report.createdAt.toISOString() })),
      ...(found.next && { nextCursor: writeCursor(scope, found.next) }),
    };
  };
