import type { Door } from "./wall.ts";

export type RequestKind = Door | "home" | "login" | "share" | "media" | "thumbnail" | "forbidden" | "unknown";

/** Counts requests, with which tests prove that a cache made no call. */
export interface RequestCounters {
  count(kind: RequestKind, code?: string): void;
  /** Requests of a kind, or of a kind for one reel's code. */
  of(kind: RequestKind, code?: string): number;
  /** Requests for this reel through any door, including its media and thumbnail. */
  ofReel(code: string): number;
  readonly total: number;
  /** `{ page: 2, "page CenAusten01": 1, ... }` */
  snapshot(): Record<string, number>;
  reset(): void;
}

export function createRequestCounters(): RequestCounters {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const sumOf = (isMeant: (key: string) => boolean): number =>
    [...counts].reduce((sum, [key, count]) => (isMeant(key) ? sum + count : sum), 0);
  return {
    count(kind, code) {
      add(kind);
      if (code !== undefined) add(`${kind} ${code}`);
    },
    of: (kind, code) => counts.get(code === undefined ? kind : `${kind} ${code}`) ?? 0,
    ofReel: (code) => sumOf((key) => key.endsWith(` ${code}`)),
    get total() {
      return sumOf((key) => !key.includes(" "));
    },
    snapshot: () => Object.fromEntries(counts),
    reset: () => counts.clear(),
  };
}
