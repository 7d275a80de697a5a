import type { PeriodicTask, Remnants } from "../ports.ts";

/** Removes what nobody needs any more, in batches. */
export const sweepRemnants = (remnants: Remnants): PeriodicTask => ({
  name: "sweep-remnants",
  everySeconds: 60 * 60,
  scope: "service",
  run: (now) => remnants.forget(now),
});
