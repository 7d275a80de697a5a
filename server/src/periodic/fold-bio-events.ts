import type { BioEvents, PeriodicTask } from "../ports.ts";

/** Folds the events of bio pages into daily totals as soon as their days are old enough: a page's day at a time. */
export const foldBioEvents = (bioEvents: Pick<BioEvents, "fold">): PeriodicTask => ({
  name: "fold-bio-events",
  everySeconds: 10 * 60,
  scope: "service",
  run: (now) => bioEvents.fold(now),
});
