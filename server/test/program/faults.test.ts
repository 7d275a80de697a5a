import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { plainEnvironment, root } from "../harness/start-program.ts";

/** Runs some rounds of `npm run faults`; returns how it ended and everything that it printed. */
async function runFaults(...parameters: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, ["dist/faults/main.js", ...parameters], {
    cwd: root,
    env: plainEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void (printed += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, printed };
}

const outcomes = (printed: string, outcome: string): number =>
  printed.split("\n").filter((line) => line.startsWith(`${outcome} `)).length;

test("what must always hold holds after some faults", async () => {
  const only = ["kill worker fetching", "network cut database of worker", "clock +45s api"].flatMap((name) => [
    "--only",
    name,
  ]);
  const { code, printed } = await runFaults("--seed", "1", ...only, "--minutes", "1");
  if (outcomes(printed, "skipped") > 0) console.warn(`SKIPPED: some faults cannot be made here\n${printed}`);
  expect(code, printed).toBe(0);
  expect(outcomes(printed, "held"), printed).toBeGreaterThan(0);
  expect(outcomes(printed, "broken"), printed).toBe(0);
});
