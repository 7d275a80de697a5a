import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { queryClient } from "../../api/query-client.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { createQueue, type Queue } from "./create-queue.ts";
import { followTranscription } from "./follow-transcription.ts";

const queues = new Map<string, Queue>();

/** The queue of a person. It continues while other pages of the dashboard are open. */
export function transcribeQueue(accountId: string): Queue {
  const known = queues.get(accountId);
  if (known !== undefined) return known;
  const queue = createQueue({
    ask: async (url, languageHint) =>
      call("transcribeReel", { url, ...(languageHint && { languageHint }) }, { prefer: "respond-async" }),
    follow: followTranscription,
    onStored: ({ usage }, url) => {
      queryClient.setQueryData(operationQuery("getUsage", {}).queryKey, (before) =>
        before === undefined ? before : { ...before, transcriptions: { ...before.transcriptions, ...usage } },
      );
      queryClient.setQueryData(operationQuery("resolveReel", { url }).queryKey, (before) =>
        before === undefined ? before : { ...before, transcript: { cached: true, cost: 0 as const } },
      );
      for (const name of ["getUsage", "searchMyScripts", "listScriptAccounts", "countScriptKinds"])
        void queryClient.invalidateQueries({ queryKey: [name] });
    },
    asCallError: (error) => {
      if (error instanceof ApiError) return error;
      const { code, reason, message } = (error ?? {}) as Partial<ApiError>;
      const known = typeof code === "string" && typeof message === "string";
      return known
        ? { code, reason, message, status: 0, retryAfter: undefined }
        : { code: "internalError", message: "Something went wrong on this page.", status: 0, retryAfter: undefined };
    },
    storage: sessionStorage,
    name: `transcribe ${accountId}`,
    now: Date.now,
    wait: (milliseconds, then) => void setTimeout(then, Math.min(milliseconds, 2_000_000_000)),
  });
  queues.set(accountId, queue);
  return queue;
}
