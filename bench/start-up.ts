import { setTimeout as pause } from "node:timers/promises";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { root } from "../scripts/root.ts";
import { isReady } from "./processes/services.ts";
import type { Needs } from "./report.ts";
import { median } from "./statistics.ts";

const program = path.join(root, "scripts/start.mjs");
const pollMilliseconds = 20;

/** From the start of `npm start`'s program until /readyz answers, with a fresh data folder and with one that is there. */
export async function benchStartUp({ report, folder, quick }: Needs): Promise<void> {
  const rounds = quick ? 1 : 3;
  report.section(
    "Start",
    "From starting the program of `npm start` (everything built, stand-in and model included) until /readyz answers 200.",
  );
  const first: number[] = [];
  const later: number[] = [];
  const stops: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const data = path.join(folder, String(round));
    for (const times of [first, later]) {
      const { startSeconds, stopSeconds } = await startOnce(data);
      times.push(startSeconds);
      stops.push(stopSeconds);
    }
  }
  report.figures([
    { what: "first start, fresh data folder", value: median(first), unit: "s", atMost: 15 },
    { what: "later start", value: median(later), unit: "s", atMost: 15 },
    { what: "Ctrl-C until it has ended, longest", value: Math.max(...stops), unit: "s", atMost: 5 },
  ]);
}

async function startOnce(dataDirectory: string): Promise<{ startSeconds: number; stopSeconds: number }> {
  const from = performance.now();
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDirectory, PORT: "0", STANDIN_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => void (printed += chunk.toString()));
  try {
    while (!(await isReady({ url: /REST\s+(\S+)\/api\/v1/.exec(printed)?.[1] }))) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode} before it was ready`);
      await pause(pollMilliseconds);
    }
    const startSeconds = (performance.now() - from) / 1_000;
    const asked = performance.now();
    child.kill("SIGINT");
    const [code] = await exited;
    if (code !== 0) throw new Error(`npm start ended with ${code} on Ctrl-C`);
    return { startSeconds, stopSeconds: (performance.now() - asked) / 1_000 };
  } finally {
    child.kill("SIGKILL");
  }
}
