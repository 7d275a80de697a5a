import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/settings/config.ts";
import { freePort } from "../harness/free-port.ts";
import { root } from "../harness/start-program.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

// Other addresses of the loopback network than 127.0.0.1 need no setting up on Linux alone.
const isPossible = process.platform === "linux" && spawnSync("haproxy", ["-v"]).status === 0;
if (!isPossible) console.warn("SKIPPED: two proxies in a row need haproxy and Linux, and one of them is missing");

const outer = "127.0.0.9";
const mostOfAddress = 4;

describe.skipIf(!isPossible)("behind a proxy in front of HAProxy (runs with haproxy on Linux)", () => {
  let service: TestService;
  const directory = directoryOfTests();
  let outerPort: number;
  let innerPort: number;
  const proxies: ChildProcess[] = [];
  const startProxy = (file: string, settings: Record<string, string> = {}): void => {
    const env = { PATH: process.env.PATH, ...settings };
    proxies.push(spawn("haproxy", ["-db", "-f", file], { env, stdio: "ignore" }));
  };

  beforeAll(async () => {
    service = await startTestService({
      transcriber: null,
      rateLimits: { address: mostOfAddress },
      trustProxy: readConfig({ TRUST_PROXY: `127.0.0.1 ${outer}` }, "/", { serves: false }).trustProxy,
    });
    outerPort = await freePort();
    innerPort = await freePort();
    const { host } = new URL(service.url);
    startProxy(path.join(root, "deploy/haproxy.cfg"), {
      BIND: `127.0.0.1:${innerPort}`,
      API_1: host,
      API_2: host,
      OUTER_PROXIES: `127.0.0.10 ${outer}`,
    });
    const outside = path.join(directory, "outer.cfg");
    await writeFile(
      outside,
      `defaults\n  mode http\n  option forwardfor\n  timeout connect 3s\n  timeout client 9s\n  timeout server 9s\n` +
        `listen public\n  bind 127.0.0.1:${outerPort}\n  source ${outer}\n  server inner 127.0.0.1:${innerPort}\n`,
    );
    startProxy(outside);
    const ready = () => ask("127.0.7.7", outerPort, { path: "/readyz" });
    while ((await ready()) !== 200) await pause(100);
  });
  afterAll(async () => {
    for (const proxy of proxies) if (proxy.kill("SIGKILL")) await once(proxy, "exit");
    await service?.close();
  });

  async function ask(
    visitor: string,
    port: number,
    options: { readonly path?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<number | undefined> {
    const clientRequest = request({
      host: "127.0.0.1",
      port,
      localAddress: visitor,
      path: "/api/v1/guides",
      ...options,
    }).end();
    const answered: Promise<number | undefined> = new Promise((resolve) => {
      clientRequest
        .once("response", (response) => resolve(response.resume().statusCode))
        .once("error", () => resolve(undefined));
    });
    return answered;
  }
  /** Asks as often as an address may. */
  async function useUp(visitor: string): Promise<void> {
    for (let calls = 0; calls < mostOfAddress; calls += 1) expect(await ask(visitor, outerPort)).toBe(200);
    expect(await ask(visitor, outerPort)).toBe(429);
  }

  test("two visitors are two", async () => {
    await useUp("127.0.1.1");
    expect(await ask("127.0.1.2", outerPort)).toBe(200);
    expect(await ask("127.0.1.1", outerPort)).toBe(429);
  });

  test.each(["x-forwarded-for", "X-FORWARDED-FOR"])("nobody is believed to be somebody else by %s", async (name) => {
    const stranger = name === "x-forwarded-for" ? "127.0.2.1" : "127.0.2.2";
    await useUp(stranger);
    for (const claimed of ["127.0.3.1", `127.0.3.2, ${outer}`, `127.0.3.3, 127.0.0.1`, "unknown", ""])
      for (const port of [outerPort, innerPort])
        expect(await ask(stranger, port, { headers: { [name]: claimed } }), `${claimed} at ${port}`).toBe(429);
    for (const untouched of ["127.0.3.1", "127.0.3.2", "127.0.3.3"])
      expect(await ask(untouched, outerPort), "whose requests were not counted").toBe(200);
  });
});
