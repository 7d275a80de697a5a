import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reelAddress, standinPlatform } from "../../src/adapters/platform/platform.ts";
import { createReelSources } from "../../src/adapters/reel-sources.ts";
import { startTranscriptionWorker, type TranscriptionWorker } from "../../src/worker/transcription-worker.ts";
import { anAccount, anAllowance, ask, emptyQueue } from "../database/conformance/fixtures.ts";
import { openOnServer } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { startTcpProxy, type TcpProxy } from "../harness/start-tcp-proxy.ts";

const clock = { now: () => new Date() };

describe.skipIf(!testDatabaseUrl)("a platform that does not answer (runs with TEST_DATABASE_URL)", () => {
  let opened: Awaited<ReturnType<typeof openOnServer>>;
  let standin: PlatformStandin;
  let directory: string;
  let ways: [TcpProxy, TcpProxy];
  const workers: TranscriptionWorker[] = [];
  const gate = createGatedTranscriber();

  beforeAll(async () => {
    opened = await openOnServer(testDatabaseUrl ?? "");
    standin = await startPlatformStandin();
    directory = await mkdtemp(path.join(tmpdir(), "reelscript-silent-"));
  });
  afterAll(async () => {
    await standin.close();
    await opened.close();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const target = { host: "127.0.0.1", port: Number(new URL(standin.origin).port) };
    ways = [await startTcpProxy(target), await startTcpProxy(target)];
  });
  afterEach(async () => {
    gate.open();
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await Promise.all(ways.map((way) => way.close()));
    await emptyQueue(opened.store);
  });

  /** Its way to the platform's pages is one of `ways`. */
  async function startWorker(name: string, way: TcpProxy, silenceSeconds = 20) {
    const faults: unknown[] = [];
    let fetched = 0;
    const platform = standinPlatform({ origin: `http://127.0.0.1:${way.port}`, mediaOrigin: standin.mediaOrigin });
    const source = await createReelSources({
      order: ["platform"],
      platforms: [platform],
      clock,
      log: () => undefined,
      limits: { silenceSeconds },
    });
    const worker = startTranscriptionWorker({
      store: opened.store,
      source: {
        ...source,
        fetch(...asked) {
          fetched += 1;
          return source.fetch(...asked);
        },
      },
      transcriber: gate,
      clock,
      name,
      workDirectory: path.join(directory, name),
      maxMediaBytes: 1_000_000,
      concurrency: 2,
      onFault: (error) => void faults.push(error),
    });
    workers.push(worker);
    return { faults, fetched: () => fetched };
  }

  async function aTranscription(): Promise<{ id: string; accountId: string }> {
    const { code } = standin.addReel({ bytes: Buffer.from("not looked at") });
    const reel = reelAddress(standinPlatform(standin), code)!;
    const { id: accountId } = await anAccount(opened.store);
    const asked = await ask(opened.store, reel, anAllowance(accountId), { now: new Date() });
    return asked.kind === "started" ? { id: asked.transcriptionId, accountId } : expect.fail(asked.kind);
  }
  const find = (id: string) => opened.store.transcriptions.find(id);
  const stateOf = async (id: string) => (await find(id))?.state;
  const unreachable = { code: "upstreamError", status: 502, reason: "platformUnreachable" };

  test.each([
    ["is silent to", (way: TcpProxy) => Promise.resolve(way.freeze())],
    ["cannot be reached by", (way: TcpProxy) => way.close()],
  ])("that %s one worker costs nobody a reel: another one fetches it", { timeout: 60_000 }, async (_how, lose) => {
    const [lost, open] = ways;
    await lose(lost);
    gate.close();
    await startWorker("well", open);
    // The well worker has as many in hand as it takes, so that these are the other one's.
    const first = await Promise.all([aTranscription(), aTranscription()]);
    for (const { id } of first) await expect.poll(() => find(id)).toMatchObject({ state: "running", progress: 0.525 });
    const rest = await Promise.all([aTranscription(), aTranscription()]);
    const sick = await startWorker("sick", lost);
    await expect.poll(sick.fetched, { timeout: 20_000 }).toBeGreaterThan(0);
    gate.open();
    for (const { id, accountId } of [...first, ...rest]) {
      await expect.poll(() => stateOf(id), { timeout: 15_000 }).toBe("done");
      const subject = { accountId, slot: 1 };
      expect(await opened.store.allowances.read(subject, "lifetime")).toEqual({ used: 1, held: 0 });
    }
    expect(sick.faults.map(String)).toContain(
      "PlatformUnanswered: The platform does not answer this worker. Another one tries.",
    );
  });

  test("to anybody ends in the promised error, after each worker has tried", { timeout: 60_000 }, async () => {
    for (const way of ways) way.freeze();
    await startWorker("one", ways[0], 5);
    await startWorker("other", ways[1], 5);
    const { id, accountId } = await aTranscription();
    await expect.poll(() => stateOf(id), { timeout: 40_000 }).toBe("failed");
    expect(await find(id)).toMatchObject({ failure: unreachable });
    expect(ways.map((way) => way.opened())).not.toContain(0);
    const subject = { accountId, slot: 1 };
    expect(await opened.store.allowances.read(subject, "lifetime")).toEqual({ used: 0, held: 0 });
  });

  test("to the only worker ends in the promised error at its first try, and the worker goes on", async () => {
    const [way] = ways;
    way.freeze();
    // It has ended, whatever it said last.
    await opened.store.workers.report("dead", true, new Date(Date.now() - 60_000));
    const { faults } = await startWorker("alone", way, 5);
    const { id } = await aTranscription();
    await expect.poll(() => stateOf(id), { timeout: 20_000 }).toBe("failed");
    expect(await find(id)).toMatchObject({ failure: unreachable });
    expect(way.opened()).toBe(1);
    way.thaw();
    const next = await aTranscription();
    await expect.poll(() => stateOf(next.id), { timeout: 20_000 }).toBe("done");
    expect(faults).toEqual([]);
  });
});
