import { listedReports } from "@reelscript/contract";
import type { Reports } from "../../ports.ts";
import type { Handler } from "../../run.ts";

export const list =
  ({ reports }: { readonly reports: Reports }): Handler<"listCompetitorReports"> =>
  async ({ caller }) => {
    const found = await reports.list(caller.account.id, listedReports);
    return { reports: found.map((report) => ({ ...report, createdAt: report.createdAt.toISOString() })) };
  };
