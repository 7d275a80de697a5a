import { ServiceError } from "@reelscript/contract";
import type { Reports } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { describeReport } from "../../describe/describe-report.ts";

export const getCompetitorReport =
  ({ reports }: { readonly reports: Reports }): Handler<"getCompetitorReport"> =>
  async ({ input: { id }, caller }) => {
    const byHandle = id.startsWith("@");
    const found = await (byHandle ? reports.findNewest(caller.account.id, id) : reports.find(caller.account.id, id));
    if (found === undefined)
      throw new ServiceError(
        "notFound",
        byHandle
          ? "You have no report of this handle. Reports are made in the browser extension; the list shows those that there are."
          : "You have no report with this id. The list shows those that there are.",
      );
    return describeReport(found);
  };
