import { setTimeout as pause } from "node:timers/promises";

/** Something that must always hold was violated. */
export class Broken extends Error {
  override name = "Broken";
}

/** This machine can't cause the fault. */
export class Impossible extends Error {
  override name = "Impossible";
}

/** Waits for `promise`; throws `Broken` if it takes longer. */
export async function within<Result>(seconds: number, what: string, promise: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const late = pause(seconds * 1_000, undefined, { signal: over.signal }).then(() => {
    throw new Broken(`${what}: not within ${seconds} s`);
  });
  late.catch(() => undefined);
  return await Promise.race([promise, late]).finally(() => over.abort());
}

/** Repeats `probe` until it returns something true, and returns that; throws `Broken` after `seconds`. */
export async function until<Result>(
  seconds: number,
  what: string,
  probe: () => Result | Promise<Result>,
  { every = 50 } = {},
): Promise<Exclude<Awaited<Result>, undefined | false | null | 0 | "">> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const result = await probe();
    if (result) return result as Exclude<Awaited<Result>, undefined | false | null | 0 | "">;
    if (performance.now() > end) throw new Broken(`${what}: not within ${seconds} s`);
    await pause(every);
  }
}
