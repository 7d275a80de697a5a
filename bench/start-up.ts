import path from "node:path";
import { startProgram } from "../scripts/processes/start-program.ts";
import type { Needs } from "./report.ts";
import { median } from "./statistics.ts";

/**
 * Measures the time from the start of `npm start`'s program until /readyz answers, with a fresh data folder and with an
 * existing one.
 */
export async function benchStartUp({ report, folder, extent }: Needs): Promise<void> {
  report.section(
    "Start",
    "From starting the program of `npm start` (everything built, stand-in and model included) until /readyz answers 200.",
  );
  const first: number[] = [];
  const later: number[] = [];
  const stops: number[] = [];
  for (let round = 0; round < (extent === "whole" ? 3 : 1); round += 1)
    for (const times of [first, later]) {
      const from = performance.now();
      const environment = { DATA_DIR: path.join(folder, String(round)) };
      const { child, ended } = await startProgram({ file: "scripts/start.mjs", environment });
      const ready = performance.now();
      child.kill("SIGINT");
      const code = await ended;
      if (code !== 0) throw new Error(`npm start ended with ${code} on Ctrl-C`);
      times.push((ready - from) / 1_000);
      stops.push((performance.now() - ready) / 1_000);
    }
  report.figures([
    { what: "first start, fresh data folder", value: median(first), unit: "s", atMost: 15 },
    { what: "later start", value: median(later), unit: "s", atMost: 15 },
    { what: "Ctrl-C until it has ended, longest", value: Math.max(...stops), unit: "s", atMost: 5 },
  ]);
}
