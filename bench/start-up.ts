import { setTimeout as pause } from "node:timers/promises";
import { spawn } from "node:child_process";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { root } from "../scripts/root.ts";
import { atMost, type Needs } from "./report.ts";
import { median } from "./statistics.ts";

const program = path.join(root, "scripts/start.mjs");
const mostSeconds = 15;
const mostStopSeconds = 5;
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
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  report.figures([
    {
      what: "first start, fresh data folder",
      figure: seconds(median(first)),
      aim: atMost(median(first), mostSeconds, " s"),
    },
    { what: "later start", figure: seconds(median(later)), aim: atMost(median(later), mostSeconds, " s") },
    {
      what: "Ctrl-C until it has ended, longest",
      figure: seconds(Math.max(...stops)),
      aim: atMost(Math.max(...stops), mostStopSeconds, " s"),
    },
  ]);
}

async function startOnce(dataDirectory: string): Promise<{ startSeconds: number; stopSeconds: number }> {
  const [port, standinPort] = await freePorts();
  const from = performance.now();
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDirectory,
      PORT: String(port),
      STANDIN_PORT: String(standinPort),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    while (!(await isHealthy(port))) {
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

const isHealthy = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** One port, and another whose successor is free too: the stand-in takes two. */
async function freePorts(): Promise<[number, number]> {
  for (;;) {
    const servers = [await listen(0), await listen(0)];
    const [one, two] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number];
    const next = await listen(two + 1).catch(() => undefined);
    for (const server of [...servers, ...(next ? [next] : [])]) await new Promise((resolve) => server.close(resolve));
    if (next && one !== two + 1) return [one, two];
  }
}

async function listen(port: number): Promise<net.Server> {
  const server = net.createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
