import type { AnyOperationName, Core } from "@reelscript/client/core";
import type { Batch } from "../service/sent-reels.ts";
import type { Script } from "./batch-progress.ts";

/** Scripts per request. */
const scriptsAtATime = 20;
/** Rows further down show the reel's code instead of its words. */
const mostScripts = 400;

/** The scripts of finished reels, for the words in their rows. */
export function createBatchWords() {
  const scripts = new Map<string, Script>();
  /** Deleted scripts, which aren't requested again. */
  const missingIds = new Set<string>();
  return {
    scripts: scripts as ReadonlyMap<string, Script>,
    /** Reads the scripts that are new, and calls `onRead` after each request. */
    async read(
      service: Core<AnyOperationName>,
      batches: readonly Batch[],
      onRead: () => void,
      signal: AbortSignal,
    ): Promise<void> {
      const ids = batches.flatMap(({ links }) => links.flatMap(({ scriptId }) => scriptId ?? [])).slice(0, mostScripts);
      const newIds = ids.filter((id) => !scripts.has(id) && !missingIds.has(id));
      for (let from = 0; from < newIds.length; from += scriptsAtATime) {
        const part = newIds.slice(from, from + scriptsAtATime);
        // oxlint-disable-next-line no-await-in-loop -- a caller has few places at the service
        const answer = await service.call("searchMyScripts", { ids: part.join(",") }, { signal, patient: true });
        for (const script of answer.scripts) scripts.set(script.id, script);
        for (const id of part) if (!scripts.has(id)) missingIds.add(id);
        onRead();
      }
    },
  };
}
