import { mkdir } from "node:fs/promises";
import path from "node:path";
import { allDoors, type AddedReel, type PlatformStandin, startPlatformStandin } from "@reelscript/platform-standin";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import { createExits, type ExitOptions } from "../../src/adapters/platforms/exits.ts";
import { reelAddress } from "../../src/adapters/platforms/platform.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createReelSources } from "../../src/adapters/reel-sources.ts";
import { startTranscriptionWorker } from "../../src/worker/transcription-worker.ts";
import { anAccount, anAllowance, ask } from "../database/conformance/fixtures.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { startConnectProxy } from "../harness/start-connect-proxy.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { createTestClock } from "../harness/test-clock.ts";
import { openTestStore } from "../harness/test-stores.ts";

const folder = directoryOfTests();
const minute = 60_000;
let standin: PlatformStandin;

beforeAll(async () => (standin = await startPlatformStandin()));
afterAll(() => standin.close());

/** A worker whose requests go through exits that rest, and an account with a queue of its own. */
async function openWorker(exitOptions: Pick<ExitOptions, "proxies">) {
  const store: OpenedStore = await openTestStore();
  const clock = createTestClock();
  const platform = standinPlatform(standin);
  const pauseAfterWall = { firstSeconds: 60, longestSeconds: 1_800 };
  const exits = createExits({ ...exitOptions, platform: platform.name, pauseAfterWall, clock });
  const source = await createReelSources({
    order: ["platform"],
    platforms: [platform],
    exitsOf: () => exits,
    clock,
    log: () => undefined,
  });
  const workDirectory = path.join(folder, String(performance.now()));
  await mkdir(workDirectory);
  const faults: unknown[] = [];
  const outages: boolean[] = [];
  const worker = startTranscriptionWorker({
    store,
    source,
    transcriber: createGatedTranscriber(),
    clock,
    name: "worker",
    workDirectory,
    maxMediaBytes: 1_000_000,
    maxFileBytes: 1_000,
    maxFileSeconds: 3_600,
    concurrency: 4,
    outageSeconds: 3_600,
    onOutage: (_needed, { isAway }) => void outages.push(isAway),
    onFault: (error) => void faults.push(error),
  });
  onTestFinished(async () => {
    await worker.stop();
    await store.close();
    expect(faults).toEqual([]);
  });
  const { id: accountId } = await anAccount(store);
  const queue = (added: readonly AddedReel[]): Promise<string[]> =>
    Promise.all(
      added.map(async (one) => {
        const { code } = standin.addReel({ bytes: Buffer.from("not looked at"), ...one });
        const allowance = anAllowance(accountId, { limit: 1_000 });
        const outcome = await ask(store, reelAddress(platform, code)!, allowance, { now: clock.now() });
        return outcome.kind === "started" ? outcome.transcriptionId : expect.fail(outcome.kind);
      }),
    );
  const statesOf = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await store.transcriptions.find(id))?.state));
  const countOf = async (ids: readonly string[], state: string): Promise<number> =>
    (await statesOf(ids)).filter((one) => one === state).length;
  /** Lets time pass until all of them have ended: slowly while some are worked on, whose leases must not end by it. */
  async function end(ids: readonly string[], milliseconds = minute): Promise<void> {
    await expect
      .poll(
        async () => {
          clock.advance((await countOf(ids, "running")) > 0 ? 1_000 : milliseconds);
          return (await countOf(ids, "done")) + (await countOf(ids, "failed"));
        },
        { interval: 1_000, timeout: 60_000 },
      )
      .toBe(ids.length);
  }
  return { queue, statesOf, countOf, end, outages };
}

const plain = (count: number): AddedReel[] => Array.from({ length: count }, () => ({}));

test.each(["HTTP/1.1 503 No\r\n\r\n", "HTTP/1.1 407 No\r\n\r\n", ""])(
  "reels wait while no proxy opens a tunnel (%j), and come afterward",
  async (bytes) => {
    const proxies = [await startConnectProxy(), await startConnectProxy()];
    onTestFinished(async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))));
    const { queue, end, countOf, outages } = await openWorker({ proxies });
    if (bytes === "") await Promise.all(proxies.map((proxy) => proxy.close()));
    else for (const proxy of proxies) proxy.answer(bytes);
    const ids = await queue(plain(30));
    await expect.poll(() => outages).toContain(true);
    expect(await countOf(ids, "failed")).toBe(0);
    if (bytes === "") return;
    for (const proxy of proxies) proxy.open();
    await end(ids);
    expect(await countOf(ids, "done")).toBe(30);
    expect(outages.at(-1)).toBe(false);
  },
);

test("reels wait out a wall of 429, also the ones that met it", async () => {
  const { queue, end, countOf, outages } = await openWorker({});
  standin.setWall({ name: "tooManyRequests", doors: allDoors });
  onTestFinished(() => standin.setWall(undefined));
  const ids = await queue(plain(12));
  await expect.poll(() => outages).toEqual([true]);
  expect(await countOf(ids, "queued")).toBeGreaterThan(8);
  standin.setWall(undefined);
  await end(ids);
  expect(await countOf(ids, "done")).toBe(12);
});

test("a reel that only visitors with an account see fails, and the others don't", async () => {
  const { queue, end, statesOf } = await openWorker({});
  const ids = await queue([{ wall: "loginRedirect" }, ...plain(6)]);
  await end(ids, minute / 2);
  expect(await statesOf(ids)).toEqual(["failed", ...Array<string>(6).fill("done")]);
});
