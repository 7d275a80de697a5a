import { beginTranscription, followTranscription, queryClient, refresh } from "../../api/call.ts";
import { operationQuery, useAccountId } from "../../api/use-operation.ts";
import { createJobs, type Jobs } from "./create-jobs.ts";

let jobs: Jobs | undefined;

/** The jobs of this document's person; `undefined` until we know who that is. */
export function useTranscribeJobs(): Jobs | undefined {
  const accountId = useAccountId();
  if (accountId === undefined) return undefined;
  return (jobs ??= createJobs({
    ask: ({ url, languageHint, translate }) =>
      beginTranscription({ url, ...(languageHint && { languageHint }), ...(translate && { translate }) }),
    follow: followTranscription,
    onStored: ({ usage }, url) => {
      queryClient.setQueryData(
        operationQuery("getUsage", {}).queryKey,
        (before) => before && { ...before, transcriptions: { ...before.transcriptions, ...usage } },
      );
      queryClient.setQueryData(
        operationQuery("resolveReel", { url }).queryKey,
        (before) => before && { ...before, transcript: { cached: true, cost: 0 as const } },
      );
      void refresh("getUsage", "searchMyScripts", "listScriptAccounts", "countScriptKinds");
    },
    name: `transcribe ${accountId}`,
  }));
}
