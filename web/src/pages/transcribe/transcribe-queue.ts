import { beginTranscription, followTranscription, queryClient, refresh } from "../../api/call.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { createQueue, type Queue } from "./create-queue.ts";

const queues = new Map<string, Queue>();

export function transcribeQueue(accountId: string): Queue {
  const known = queues.get(accountId);
  if (known !== undefined) return known;
  const queue = createQueue({
    ask: (url, languageHint) => beginTranscription({ url, ...(languageHint && { languageHint }) }),
    follow: followTranscription,
    onStored: ({ usage }, url) => {
      queryClient.setQueryData(operationQuery("getUsage", {}).queryKey, (before) =>
        before === undefined ? before : { ...before, transcriptions: { ...before.transcriptions, ...usage } },
      );
      queryClient.setQueryData(operationQuery("resolveReel", { url }).queryKey, (before) =>
        before === undefined ? before : { ...before, transcript: { cached: true, cost: 0 as const } },
      );
      void refresh("getUsage", "searchMyScripts", "listScriptAccounts", "countScriptKinds");
    },
    name: `transcribe ${accountId}`,
    now: Date.now,
    wait: (milliseconds, then) => void setTimeout(then, Math.min(milliseconds, 2_000_000_000)),
  });
  queues.set(accountId, queue);
  return queue;
}
