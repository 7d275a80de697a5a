import { setTimeout as pause } from "node:timers/promises";

/** Something that must always hold did not. */
export class Broken extends Error {
  override name = "Broken";
}

/** This machine can't do it. */
export class Impossible extends Error {
  override name = "Impossible";
}

/** Waits for `promise`; throws `Broken` when it takes longer. */
export async function within<Result>(seconds: number, what: string, promise: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const late = pause(seconds * 1_000, undefined, { signal: over.signal }).then(() => {
    throw new Broken(`${what}: not within ${seconds} s`);
  });
  late.catch(() => undefined);
  return await Promise.race([promise, late]).finally(() => over.abort());
}

/** Asks again and again until `probe` gives something true, which it returns; throws `Broken` after `seconds`. */
export async function until<Found>(
  seconds: number,
  what: string,
  probe: () => Found | Promise<Found>,
  { every = 50 } = {},
): Promise<Exclude<Awaited<Found>, undefined | false | null | 0 | "">> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await probe();
    if (found) return found as Exclude<Awaited<Found>, undefined | false | null | 0 | "">;
    if (performance.now() > end) throw new Broken(`${what}: not within ${seconds} s`);
    await pause(every);
  }
}
