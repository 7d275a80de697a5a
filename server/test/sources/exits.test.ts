import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { allDoors, startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import { createExits, type ExitOptions } from "../../src/adapters/platforms/exits.ts";
import type { Platform } from "../../src/adapters/platforms/platform.ts";
import { reelAddress } from "../../src/adapters/platforms/platform.ts";
import { SourceFailure } from "../../src/adapters/platforms/source-failure.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createReelSources } from "../../src/adapters/reel-sources.ts";
import type { PlatformContact, ReelAddress } from "../../src/ports.ts";
import { type ConnectProxy, startConnectProxy } from "../harness/start-connect-proxy.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { openTestStore } from "../harness/test-stores.ts";

const never = new AbortController().signal;
setMaxListeners(0, never);
const credentials = "reels:s3cret-of-the-operator";
const pauseAfterWall = { firstSeconds: 60, longestSeconds: 1_800 };
const bytes = Buffer.from("sound ".repeat(1_000));

const folder = directoryOfTests();
let store: OpenedStore;
let standin: PlatformStandin;
let walled: PlatformStandin;
let platform: Platform;
let now: number | undefined;
const clock = { now: () => new Date(now ?? Date.now()) };
const proxies: ConnectProxy[] = [];
let platforms = 0;

beforeAll(async () => {
  [store, standin, walled] = await Promise.all([openTestStore(), startPlatformStandin(), startPlatformStandin()]);
  walled.setWall({ name: "tooManyRequests", doors: allDoors });
});
afterAll(() => Promise.all([standin.close(), walled.close(), store.close()]));
afterEach(async () => {
  now = undefined;
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

async function startProxy(isWalled = false): Promise<ConnectProxy> {
  const pages = Number(new URL(standin.origin).port);
  const proxy = await startConnectProxy({
    credentials,
    route: (to) => (isWalled && to.port === pages ? { ...to, port: Number(new URL(walled.origin).port) } : to),
  });
  proxies.push(proxy);
  return proxy;
}

const reel = (): ReelAddress => {
  const address = reelAddress(platform, standin.addReel({ bytes }).code);
  return address ?? expect.fail("no reel");
};

/** A service of its own: a platform by another name has other turns. */
async function open(
  through: readonly ConnectProxy[],
  options: Partial<ExitOptions> & { intervalSeconds?: number; silenceSeconds?: number } = {},
) {
  platform = { ...standinPlatform(standin), name: `standin-${(platforms += 1)}` };
  const hintLines: string[] = [];
  const exits = createExits({
    platform: platform.name,
    proxies: through,
    pace: { turns: store.platformPace, intervalSeconds: options.intervalSeconds ?? 0.02 },
    pauseAfterWall,
    clock,
    onHint: (hint) => hintLines.push(hint),
    ...options,
  });
  const source = await createReelSources({
    order: ["platform"],
    platforms: [platform],
    exitsOf: () => exits,
    clock,
    log: (message, error) => hintLines.push(message, JSON.stringify(error), String((error as Error).stack)),
    limits: { silenceSeconds: options.silenceSeconds ?? 10 },
  });
  let files = 0;
  return {
    told: hintLines,
    fetch: (address = reel(), contact?: PlatformContact) =>
      source.fetch(address, path.join(folder, `media-${(files += 1)}`), never, contact),
    resolve: (address = reel(), accountId?: string) => source.resolve(address, never, accountId),
    lastFile: () => readFile(path.join(folder, `media-${files}`)),
  };
}

const pagesThrough = ({ requestedHosts }: ConnectProxy): number =>
  requestedHosts.filter((to) => `http://${to}` === standin.origin).length;

test("with one of three proxies walled, reels use the other two", async () => {
  const through = [await startProxy(true), await startProxy(), await startProxy()];
  const { fetch, told: hintLines } = await open(through);
  walled.counters.reset();
  for (let round = 0; round < 4; round += 1) await Promise.all([fetch(), fetch(), fetch()]);
  const pages = through.map(pagesThrough);
  process.stderr.write(`Pages and queries of 12 reels through three proxies, the first walled: ${pages.join(", ")}.\n`);
  expect(walled.counters.total).toBe(pages[0]);
  // One visit met the wall, and it rests since.
  expect(hintLines.filter((line) => line.includes("turns it away"))).toEqual([
    `${platform.name} can't be asked through ${through[0]?.name}: the platform turns it away. It rests for 60 s.`,
  ]);
  expect(Math.min(...pages.slice(1))).toBeGreaterThan(0);
  const before = through[0]?.requestedHosts.length;
  for (let more = 0; more < 6; more += 1) await fetch();
  expect(through[0]?.requestedHosts.length).toBe(before);
  expect(hintLines.join("\n")).not.toMatch(/s3cret|reels:/);
});

test("pages, queries and media go through the proxy, nothing elsewhere", async () => {
  const proxy = await startProxy();
  const { fetch, lastFile } = await open([proxy]);
  standin.counters.reset();
  await fetch();
  expect(await lastFile()).toEqual(bytes);
  expect(proxy.requestedHosts).toHaveLength(standin.counters.total);
  expect(proxy.requestedHosts).toContain(new URL(standin.mediaOrigin).host);
});

test.each(["closed", "407", "503", "silent"])(
  "a proxy that is %s is reported once, the other fetches all",
  async (fault) => {
    const bad = await startProxy();
    const good = await startProxy();
    if (fault === "closed") await Promise.all(proxies.splice(0, 1).map((proxy) => proxy.close()));
    else bad.answer(fault === "silent" ? undefined : `HTTP/1.1 ${fault} No\r\nx-you-said: ${credentials}\r\n\r\n`);
    const { fetch, told: hintLines } = await open([bad, good], fault === "silent" ? { silenceSeconds: 3 } : {});
    for (let more = 0; more < 4; more += 1) await fetch();
    const hints = hintLines.filter((line) => line.includes("rests for"));
    expect(hints).toHaveLength(1);
    expect(hints[0]).toContain(bad.name);
    expect(hintLines.join("\n")).not.toMatch(/s3cret|reels:/);
    if (fault === "closed") return;
    bad.open();
    now = Date.now() + 61_000;
    for (let more = 0; more < 2; more += 1) await fetch();
    expect(hintLines).toContain(`${platform.name} can be asked through ${bad.name} again.`);
  },
);

test("if every address rests, reels fail like at walls, without requests", async () => {
  const proxy = await startProxy(true);
  const { resolve } = await open([proxy]);
  await expect(resolve()).rejects.toMatchObject({ code: "upstreamError", reason: "platformRefused" });
  const requestCount = proxy.requestedHosts.length;
  await expect(resolve()).rejects.toMatchObject({ code: "upstreamError", reason: "platformRefused" });
  expect(proxy.requestedHosts.length).toBe(requestCount);
});

test("a reel waiting for its turn says so, with a healthy platform", async () => {
  const waitSteps: boolean[] = [];
  let silences = 0;
  const contact = {
    onAnswer: () => undefined,
    onSilence: () => (silences += 1) > 0,
    onWait: (does: boolean) => void waitSteps.push(does),
  };
  const { fetch } = await open([]);
  const wish = { platform: platform.name, exits: ["direct"], intervalSeconds: 4, withinSeconds: 60 };
  await store.platformPace.take({ ...wish, turns: 1, now: clock.now() });
  await fetch(reel(), contact);
  expect(waitSteps.slice(0, 2)).toEqual([true, false]);
  expect(silences).toBe(0);
});

test("with distant turns people are refused immediately and reels go back", async () => {
  const { resolve, fetch } = await open([], { intervalSeconds: 3 });
  const wish = { platform: platform.name, exits: ["direct"], intervalSeconds: 3, withinSeconds: 1_000 };
  await store.platformPace.take({ ...wish, turns: 6, now: clock.now() });
  await expect(resolve()).rejects.toMatchObject({ reason: "platformBusy", retryAfter: 5 });
  await store.platformPace.take({ ...wish, turns: 15, now: clock.now() });
  await expect(fetch()).rejects.toMatchObject({ reason: "platformBusy" });
});

test("a reel hidden in one address's region comes through another", async () => {
  const through = [await startProxy(), await startProxy()];
  platform = { ...standinPlatform(standin), name: `standin-${(platforms += 1)}` };
  const exits = createExits({ platform: platform.name, proxies: through, pauseAfterWall, clock });
  const requestedNames: string[] = [];
  const country = await exits.use({ signal: never }, ({ name }) => {
    requestedNames.push(name);
    return requestedNames.length === 1
      ? Promise.reject(new SourceFailure("regionGated", "not here"))
      : Promise.resolve(name);
  });
  expect([requestedNames.length, country]).toEqual([2, through[1]?.name]);
  const walledElsewhere = exits.use({ signal: never }, ({ name }) =>
    Promise.reject(new SourceFailure(name === country ? "walled" : "regionGated", "not here")),
  );
  await expect(walledElsewhere).rejects.toMatchObject({ kind: "regionGated" });
});

/** Has so many reels resolved for an account that asks for all of them at once. */
function flood({ resolve }: Awaited<ReturnType<typeof open>>, count: number) {
  const reels = Array.from({ length: count }, reel);
  let answered = 0;
  const all = Promise.all(
    reels.map(async (address) => {
      await resolve(address, "acc_greedy");
      answered += 1;
    }),
  );
  return { all, answered: () => answered };
}

test("an account with many reels leaves every other turn to others", async () => {
  const opened = await open([], { intervalSeconds: 0.1 });
  const greedy = flood(opened, 30);
  for (let turn = 1; turn <= 5; turn += 1) {
    await opened.resolve(reel(), "acc_quiet");
    expect(greedy.answered(), "turns of the others meanwhile").toBeLessThanOrEqual(3 * turn);
  }
  await greedy.all;
});

test("a worker's reel isn't behind what people wait for", async () => {
  const opened = await open([], { intervalSeconds: 0.1 });
  const greedy = flood(opened, 30);
  await opened.resolve(reel(), "acc_quiet");
  const before = greedy.answered();
  await opened.fetch();
  expect(greedy.answered() - before).toBeLessThanOrEqual(6);
  await greedy.all;
});
