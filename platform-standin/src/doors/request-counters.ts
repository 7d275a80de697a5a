import type { Door } from "./walls.ts";

export type RequestKind = Door | "home" | "login" | "share" | "media" | "thumbnail" | "forbidden" | "unknown";

export type RequestCounters = ReturnType<typeof createRequestCounters>;

/** Counts requests: tests prove with it that a cache made no call. */
export function createRequestCounters() {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const sumOf = (isMeant: (key: string) => boolean): number =>
    [...counts].reduce((sum, [key, count]) => (isMeant(key) ? sum + count : sum), 0);
  return {
    count(kind: RequestKind, code?: string): void {
      add(kind);
      if (code !== undefined) add(`${kind} ${code}`);
    },
    /** Requests of a kind, or of a kind for one reel code. */
    of: (kind: RequestKind, code?: string): number => counts.get(code === undefined ? kind : `${kind} ${code}`) ?? 0,
    /** Requests for this reel through any door, its media and thumbnail included. */
    ofReel: (code: string): number => sumOf((key) => key.endsWith(` ${code}`)),
    get total(): number {
      return sumOf((key) => !key.includes(" "));
    },
    /** `{ page: 2, "page CenAusten01": 1, ... }` */
    snapshot: (): Record<string, number> => Object.fromEntries(counts),
    reset: (): void => counts.clear(),
  };
}
