import { rm } from "node:fs/promises";
import type { Claim, ReelDetails } from "../ports.ts";

const longestMilliseconds = 10 * 60 * 1_000;
const lookMilliseconds = 1_000;

/** A reel's media in their own folder, which belongs to the holder of this object. */
interface FetchedReel {
  readonly directory: string;
  readonly details: ReelDetails;
}

/**
 * Media of reels that were fetched here and given back before they were transcribed. If such a reel comes back, it isn't
 * fetched twice.
 */
export interface FetchedReels {
  keep(claim: Claim, fetched: FetchedReel): void;
  /** The caller who takes one removes its folder, or stores it again. */
  take(claim: Claim): FetchedReel | undefined;
  /** Removes all of them, for example when the disk is full. */
  clear(): Promise<void>;
}

/** Keeps at most `most` reels, each for ten minutes at most, and only as long as it is in the queue. */
export function createFetchedReels({
  most,
  isQueued,
  onFault,
}: {
  readonly most: number;
  readonly isQueued: (transcriptionId: string) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}): FetchedReels {
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
  /** Discards the reel after two checks in a row found it with another worker. A single check may still see our own claim. */
  function watch(id: string, endsAt: number, looksElsewhere = 0): NodeJS.Timeout {
    return setTimeout(async () => {
      const fetched = byId.get(id);
      // While the database is down, nobody else has the reel.
      const isElsewhere = !(await isQueued(id).catch(() => true));
      if (fetched === undefined || byId.get(id) !== fetched) return;
      if (performance.now() > endsAt || (isElsewhere && looksElsewhere > 0)) return void discard(id);
      byId.set(id, { ...fetched, timer: watch(id, endsAt, isElsewhere ? looksElsewhere + 1 : 0) });
    }, lookMilliseconds).unref();
  }
  return {
    keep({ transcriptionId: id }, { directory, details }) {
      void discard(id);
      const [oldest] = byId.keys();
      if (byId.size >= most && oldest !== undefined) void discard(oldest);
      byId.set(id, { directory, details, timer: watch(id, performance.now() + longestMilliseconds) });
    },
    take: ({ transcriptionId }) => remove(transcriptionId),
    clear: async () => void (await Promise.all([...byId.keys()].map(discard))),
  };
}
