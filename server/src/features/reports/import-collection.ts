import type { Handler } from "../../run.ts";
import { describeReport } from "./describe-report.ts";
import { ingest, type IngestNeeds } from "./ingest.ts";

export const importCollection = (needs: IngestNeeds): Handler<"importReport"> => {
  const take = ingest(needs);
  return async ({ input, caller }) => describeReport(await take(caller.account, input));
};
