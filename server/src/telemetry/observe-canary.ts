import type { Telemetry } from "./telemetry.ts";

/** Counts what each way gave, and logs a line when that changes or a way fails from the start. */
export function observeCanary({ log, metrics }: Telemetry): (way: string, outcome: string) => void {
  const last = new Map<string, string>();
  return (way, outcome) => {
    metrics?.canaryAsked(way, outcome);
    const before = last.get(way) ?? "data";
    last.set(way, outcome);
    if (before !== outcome) log.warn({ way, before, outcome }, "The platform answers the canary in another way");
  };
}
