import { ServiceError } from "@reelscript/contract";
import type { Reports } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const deleteReport =
  ({ reports }: { readonly reports: Reports }): Handler<"deleteReport"> =>
  async ({ input: { id }, caller }) => {
    if (await reports.remove(caller.account.id, id)) return { id };
    throw new ServiceError("notFound", "You have no report with this id. List your reports to find it.");
  };
