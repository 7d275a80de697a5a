import { rm } from "node:fs/promises";
import type { Claim, ReelDetails } from "../ports.ts";

const longestMilliseconds = 10 * 60 * 1_000;

/** A reel's media in a folder of their own, which belongs to whoever has this. */
interface FetchedReel {
  readonly directory: string;
  readonly details: ReelDetails;
}

/** Reels that were fetched here and then given back unheard, so that nobody fetches them twice if they come again. */
export interface FetchedReels {
  keep(claim: Claim, fetched: FetchedReel): void;
  /** Whoever takes one removes its folder, or keeps it again. */
  take(claim: Claim): FetchedReel | undefined;
  /** Removes all of them, as for want of room. */
  clear(): Promise<void>;
}

/** Keeps at most so many, and each for ten minutes at most. */
export function createFetchedReels(most: number, onFault: (error: unknown) => void): FetchedReels {
  const byId = new Map<string, FetchedReel & { readonly timer: NodeJS.Timeout }>();
  function remove(id: string): FetchedReel | undefined {
    const fetched = byId.get(id);
    clearTimeout(fetched?.timer);
    byId.delete(id);
    return fetched;
  }
  async function discard(id: string): Promise<void> {
    const fetched = remove(id);
    if (fetched) await rm(fetched.directory, { recursive: true, force: true }).catch(onFault);
  }
  return {
    keep({ transcriptionId: id }, { directory, details }) {
      void discard(id);
      const [oldest] = byId.keys();
      if (byId.size >= most && oldest !== undefined) void discard(oldest);
      const timer = setTimeout(() => void discard(id), longestMilliseconds).unref();
      byId.set(id, { directory, details, timer });
    },
    take: ({ transcriptionId }) => remove(transcriptionId),
    clear: async () => void (await Promise.all([...byId.keys()].map(discard))),
  };
}
