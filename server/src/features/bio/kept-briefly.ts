import type { Clock } from "../../ports.ts";

/** What is kept for how long: at most `most` results, the one read longest ago goes first. */
interface Keeping<Result> {
  readonly milliseconds: number;
  readonly most: number;
  /** Whether a result is still right at that moment. What never is, is never kept. */
  readonly holds: (result: Result, now: Date) => boolean;
}

/** Reads again only what was read a while ago, or before the last `forget`. */
export function keptBriefly<Result>(
  read: (key: string) => Promise<Result>,
  { milliseconds, most, holds }: Keeping<Result>,
  clock: Clock,
): { readonly read: (key: string) => Promise<Result>; readonly forget: () => void } {
  let kept = new Map<string, { readonly result: Result; readonly from: number }>();
  const readAgain = async (key: string, now: Date): Promise<Result> => {
    // A reading that began before `forget` leaves its result where nobody looks any more.
    const place = kept;
    const result = await read(key);
    place.delete(key);
    if (holds(result, now)) place.set(key, { result, from: now.getTime() });
    for (const oldest of place.keys()) {
      if (place.size <= most) break;
      place.delete(oldest);
    }
    return result;
  };
  return {
    async read(key) {
      const now = clock.now();
      const known = kept.get(key);
      const age = known && now.getTime() - known.from;
      const isFresh = known !== undefined && age! >= 0 && age! < milliseconds && holds(known.result, now);
      return isFresh ? known.result : readAgain(key, now);
    },
    forget() {
      kept = new Map();
    },
  };
}
