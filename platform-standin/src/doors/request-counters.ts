export type RequestKind =
  | "home"
  | "login"
  | "page"
  | "ruling"
  | "graphql"
  | "secondQuery"
  | "embed"
  | "info"
  | "share"
  | "profile"
  | "profileList"
  | "media"
  | "thumbnail"
  | "forbidden"
  | "unknown";

/** How often the stand-in was asked: tests prove with it that a cache made no call. */
export interface RequestCounters {
  /** Requests of a kind, or of a kind for one reel code. */
  of(kind: RequestKind, code?: string): number;
  /** Requests for this reel through any door, its media and thumbnail included. */
  ofReel(code: string): number;
  readonly total: number;
  /** `{ page: 2, "page CenAusten01": 1, ... }` */
  snapshot(): Record<string, number>;
  reset(): void;
}

export interface CountingRequestCounters extends RequestCounters {
  count(kind: RequestKind, code?: string): void;
}

export function createRequestCounters(): CountingRequestCounters {
  const counts = new Map<string, number>();
  const perReel = new Map<string, number>();
  let total = 0;
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  return {
    count(kind, code) {
      total += 1;
      add(counts, kind);
      if (code === undefined) return;
      add(counts, `${kind} ${code}`);
      add(perReel, code);
    },
    of: (kind, code) => counts.get(code === undefined ? kind : `${kind} ${code}`) ?? 0,
    ofReel: (code) => perReel.get(code) ?? 0,
    get total() {
      return total;
    },
    snapshot: () => Object.fromEntries(counts),
    reset() {
      counts.clear();
      perReel.clear();
      total = 0;
    },
  };
}
