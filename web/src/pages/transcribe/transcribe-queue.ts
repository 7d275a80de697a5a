import { beginTranscription, followTranscription, queryClient, refresh } from "../../api/call.ts";
import { operationQuery, useAccountId } from "../../api/use-operation.ts";
import { createQueue, type Queue } from "./create-queue.ts";

let queue: Queue | undefined;

/** The queue of this document's person; `undefined` until we know who that is. */
export function useTranscribeQueue(): Queue | undefined {
  const accountId = useAccountId();
  if (accountId === undefined) return undefined;
  return (queue ??= createQueue({
    ask: (url, languageHint) => beginTranscription({ url, ...(languageHint && { languageHint }) }),
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
