import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { isReady } from "../scripts/processes/start-program.ts";
import { freePort } from "../scripts/processes/throwaway-postgres.ts";
import { root } from "../scripts/root.ts";
import type { World } from "./open-world.ts";
import { Impossible, until } from "./waiting.ts";

export interface Proxies {
  readonly url: string;
  /** Resolves when the proxy sends calls to all answering processes. */
  knowAll(): Promise<unknown>;
  close(): Promise<void>;
}

const configuration = path.join(root, "deploy/haproxy.cfg");
const statistics = (port: number): string =>
  `frontend statistics\n  mode http\n  timeout client 10s\n  bind 127.0.0.1:${port}\n  stats enable\n  stats uri /\n`;

/** The proxy that comes along in front of the processes that answer, and perhaps the same in front of that one. */
export async function startProxies(world: World, { count }: { readonly count: number }): Promise<Proxies> {
  if (spawnSync("haproxy", ["-v"]).status !== 0) throw new Impossible("haproxy is not installed");
  if (!world.isFleet) throw new Impossible("one process answers, so that nobody is left while it restarts");
  const running: ChildProcess[] = [];
  const [checks, ...ports] = await Promise.all(Array.from({ length: count + 1 }, freePort));
  const file = path.join(world.folder, "statistics.cfg");
  await writeFile(file, statistics(checks!));
  let behind = world.apis().map(({ url }) => new URL(url!).host);
  for (const [index, port] of ports.entries()) {
    const env = { PATH: process.env.PATH, BIND: `127.0.0.1:${port}`, API_1: behind[0], API_2: behind.at(-1) };
    const files = [configuration, ...(index === 0 ? [file] : [])].flatMap((one) => ["-f", one]);
    running.push(spawn("haproxy", ["-db", ...files], { env, stdio: "ignore" }));
    behind = [env.BIND];
  }
  const url = `http://${behind[0]}`;
  const proxies = {
    url,
    knowAll: () =>
      until(30 * world.patience, "the proxy knows all processes", async () => {
        const table = await fetch(`http://127.0.0.1:${checks}/;csv`).then((answer) => answer.text(), String);
        return table.match(/^api,api-\d,.*,UP,/gm)?.length === world.apis().length;
      }),
    async close() {
      for (const one of running) if (one.kill("SIGKILL")) await once(one, "exit");
    },
  };
  await proxies.knowAll();
  await until(30 * world.patience, "the proxies answer", () => isReady({ url }));
  return proxies;
}
