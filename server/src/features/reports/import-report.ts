import type { Handler } from "../../run/run.ts";
import { describeReport } from "../../describe/describe-report.ts";
import { ingestCollection, type IngestCollectionNeeds } from "./ingest-collection.ts";

export const importReport = (needs: IngestCollectionNeeds): Handler<"importReport"> => {
  const take = ingestCollection(needs);
  return async ({ input, caller, callId }) =>
    describeReport(await take(caller.account, input, callId === undefined ? undefined : `rep_${callId}`));
};
