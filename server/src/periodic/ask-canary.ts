import type { Canary, PeriodicTask } from "../ports.ts";

/** Asks for one public reel by each way, before people find out that one has ended. */
export const askCanary = (canary: Canary, onOutcome: (way: string, outcome: string) => void): PeriodicTask => ({
  name: "ask-canary",
  everySeconds: 60 * 60,
  scope: "service",
  async run(_now, signal) {
    for (const way of canary.ways) onOutcome(way, await canary.ask(way, signal));
    return false;
  },
});
