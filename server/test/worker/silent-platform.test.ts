import { createServer, request, type ServerResponse } from "node:http";
import path from "node:path";
import { ServiceError } from "@reelscript/contract";
import { startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { reelAddress } from "../../src/adapters/platforms/platform.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createPlatformSource } from "../../src/adapters/platforms/platform-source.ts";
import { askInOrder, type NamedSource } from "../../src/adapters/reel-sources.ts";
import type { Transcriber } from "../../src/ports.ts";
import { startTranscriptionWorker } from "../../src/worker/transcription-worker.ts";
import { anAccount, anAllowance, ask, emptyQueue } from "../database/conformance/fixtures.ts";
import { openOnServer } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { listen } from "../harness/listen.ts";
import { startTcpProxy, type TcpProxy } from "../harness/start-tcp-proxy.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const clock = { now: () => new Date() };

/** A recognizer that shows it isn't hung, however long it takes. */
const showingLife = (transcriber: Transcriber): Transcriber => ({
  ...transcriber,
  async transcribe(file, options) {
    const life = setInterval(() => options.onProgress(0.5), 200);
    try {
      return await transcriber.transcribe(file, options);
    } finally {
      clearInterval(life);
    }
  },
});

describe.skipIf(!testDatabaseUrl)("a platform that does not answer (runs with TEST_DATABASE_URL)", () => {
  let opened: Awaited<ReturnType<typeof openOnServer>>;
  let standin: PlatformStandin;
  const directory = directoryOfTests();
  let ways: [TcpProxy, TcpProxy];
  const workers: ReturnType<typeof startTranscriptionWorker>[] = [];
  const gate = createGatedTranscriber();

  beforeAll(async () => {
    opened = await openOnServer(testDatabaseUrl ?? "");
    standin = await startPlatformStandin();
  });
  afterAll(async () => {
    await standin.close();
    await opened.close();
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

  const platformAt = ({ port }: Pick<TcpProxy, "port">) =>
    standinPlatform({ origin: `http://127.0.0.1:${port}`, mediaOrigin: standin.mediaOrigin });

  interface Ways {
    readonly silenceSeconds?: number;
    /** The way of a second source. */
    readonly other?: TcpProxy;
    readonly outageSeconds?: number;
    /** The media of a reel about which the platform says nothing. */
    readonly unanswered?: string;
  }

  /** Its way to the platform's pages is one of `ways`. */
  async function startWorker(
    name: string,
    way: Pick<TcpProxy, "port">,
    { silenceSeconds = 20, other, outageSeconds = 0, unanswered }: Ways = {},
  ) {
    const faults: unknown[] = [];
    const outages: string[] = [];
    let fetched = 0;
    let silences = 0;
    const options = { clock, maxBytes: 1_000_000, limits: { silenceSeconds } };
    const sources: NamedSource[] = [
      { name: "platform", source: createPlatformSource({ ...options, platform: platformAt(way) }) },
    ];
    if (other)
      sources.push({ name: "ytdlp", source: createPlatformSource({ ...options, platform: platformAt(other) }) });
    const source = askInOrder(() => sources, { maxBytes: options.maxBytes, log: () => undefined });
    const worker = startTranscriptionWorker({
      store: opened.store,
      source: {
        ...source,
        fetch(reel, file, signal, contact) {
          fetched += 1;
          const counted = contact && {
            ...contact,
            onSilence() {
              silences += 1;
              return contact.onSilence();
            },
          };
          if (reel.mediaId !== unanswered) return source.fetch(reel, file, signal, counted);
          counted?.onSilence();
          const reason = "platformUnreachable";
          return Promise.reject(new ServiceError("upstreamError", "We couldn't reach the platform.", { reason }));
        },
      },
      transcriber: showingLife(gate),
      clock,
      name,
      workDirectory: path.join(directory, name),
      maxMediaBytes: 1_000_000,
      maxFileBytes: 1_000,
      maxFileSeconds: 3_600,
      concurrency: 2,
      outageSeconds,
      onOutage: ({ kind, name: needed }, { isAway }) => void outages.push(`${kind} ${needed} ${isAway}`),
      onFault: (error) => void faults.push(error),
    });
    workers.push(worker);
    return { faults, outages, fetched: () => fetched, silences: () => silences };
  }

  async function aTranscription(): Promise<{ id: string; accountId: string }> {
    const { code } = standin.addReel({ bytes: Buffer.from("not looked at") });
    const reel = reelAddress(standinPlatform(standin), code)!;
    const { id: accountId } = await anAccount(opened.store);
    const outcome = await ask(opened.store, reel, anAllowance(accountId), { now: new Date() });
    return outcome.kind === "started" ? { id: outcome.transcriptionId, accountId } : expect.fail(outcome.kind);
  }
  const find = (id: string) => opened.store.transcriptions.find(id);
  const stateOf = async (id: string) => (await find(id))?.state;
  const unreachable = { code: "upstreamError", status: 502, reason: "platformUnreachable" };

  test.each([
    ["is silent to", (way: TcpProxy) => Promise.resolve(way.freeze())],
    ["cannot be reached by", (way: TcpProxy) => way.close()],
  ])("that %s one worker costs nobody a reel: another one fetches it", async (_how, lose) => {
    const [lost, open] = ways;
    await lose(lost);
    gate.close();
    await startWorker("well", open);
    // The well worker has as many in hand as it takes, so that these are the other one's.
    const first = await Promise.all([aTranscription(), aTranscription()]);
    for (const { id } of first) await expect.poll(() => find(id)).toMatchObject({ state: "running", progress: 0.525 });
    const rest = await Promise.all([aTranscription(), aTranscription()]);
    const sick = await startWorker("sick", lost);
    await expect.poll(sick.fetched).toBeGreaterThan(0);
    gate.open();
    for (const { id, accountId } of [...first, ...rest]) {
      await expect.poll(() => stateOf(id)).toBe("done");
      const subject = { accountId, slot: 1 };
      expect(await opened.store.allowances.read(subject, "lifetime")).toEqual({ used: 1, held: 0 });
    }
    expect(sick.faults.map(String)).toContain(
      "PlatformUnanswered: The platform does not answer this worker. Another one tries.",
    );
  });

  test("leaves a reel to a busy worker, but never a silent one", async () => {
    const [lost, open] = ways;
    lost.freeze();
    gate.close();
    await startWorker("busy", open, { silenceSeconds: 5 });
    const first = await Promise.all([aTranscription(), aTranscription()]);
    for (const { id } of first) await expect.poll(() => find(id)).toMatchObject({ state: "running", progress: 0.525 });
    const { id } = await aTranscription();
    const sick = await startWorker("cut off", lost, { silenceSeconds: 5 });
    // A worker that isn't probing keeps a reel after three setbacks; one that is gives it back more often.
    await expect.poll(sick.fetched).toBe(5);
    expect(await stateOf(id)).not.toBe("failed");
    const next = await aTranscription();
    open.freeze();
    gate.open();
    for (const transcription of first) await expect.poll(() => stateOf(transcription.id)).toBe("done");
    for (const left of [id, next.id])
      await expect.poll(() => find(left)).toMatchObject({ state: "failed", failure: unreachable });
  });

  test("is left alone if another source works: nothing is given back", async () => {
    const [lost, open] = ways;
    lost.freeze();
    const started = await Promise.all(
      ["one", "other"].map((name) => startWorker(name, lost, { silenceSeconds: 5, other: open })),
    );
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await aTranscription()).id));
    for (const id of ids) await expect.poll(() => stateOf(id)).toBe("done");
    expect(started.flatMap(({ faults }) => faults)).toEqual([]);
    expect(started.map(({ fetched }) => fetched()).reduce((sum, count) => sum + count)).toBe(ids.length);
  });

  test("for a while leaves the worker healthy, without a reel too", async () => {
    const waiting: ServerResponse[] = [];
    let isOpen = false;
    const slow = createServer((_request, response) => {
      if (isOpen) response.writeHead(429).end();
      else waiting.push(response);
    });
    try {
      const worker = await startWorker("patient", await listen(slow));
      const { id } = await aTranscription();
      await expect.poll(worker.silences).toBeGreaterThan(0);
      isOpen = true;
      for (const response of waiting) response.writeHead(429).end();
      await expect.poll(() => stateOf(id)).toBe("failed");
      const failedAt = new Date();
      const report = async () => {
        const fellows = await opened.store.workers.report(
          "observer",
          { isWell: false, makesVideos: false },
          new Date(),
        );
        return fellows.find(({ name }) => name === "patient");
      };
      await expect.poll(async () => (await report())!.seenAt > failedAt).toBe(true);
      expect(await report()).toMatchObject({ isWell: true });
    } finally {
      slow.close();
    }
  });

  test("to anybody ends in the promised error, after each worker has tried", async () => {
    for (const way of ways) way.freeze();
    await startWorker("one", ways[0], { silenceSeconds: 5 });
    await startWorker("other", ways[1], { silenceSeconds: 5 });
    const { id, accountId } = await aTranscription();
    await expect.poll(() => stateOf(id)).toBe("failed");
    expect(await find(id)).toMatchObject({ failure: unreachable });
    expect(ways.map((way) => way.opened())).not.toContain(0);
    const subject = { accountId, slot: 1 };
    expect(await opened.store.allowances.read(subject, "lifetime")).toEqual({ used: 0, held: 0 });
  });

  test("to the only worker gives the promised error at its first try", async () => {
    const [way] = ways;
    way.freeze();
    // It has ended, whatever it said last.
    await opened.store.workers.report("dead", { isWell: true, makesVideos: false }, new Date(Date.now() - 60_000));
    const { faults } = await startWorker("alone", way, { silenceSeconds: 5 });
    const { id } = await aTranscription();
    await expect.poll(() => stateOf(id)).toBe("failed");
    expect(await find(id)).toMatchObject({ failure: unreachable });
    expect(way.opened()).toBe(1);
    way.thaw();
    const next = await aTranscription();
    await expect.poll(() => stateOf(next.id)).toBe("done");
    expect(faults).toEqual([]);
  });

  test("keeps reels waiting, with rare requests, until all are fetched", async () => {
    const [way] = ways;
    const { fetched, outages } = await startWorker("waiting", way, { silenceSeconds: 5, outageSeconds: 600 });
    const before = await aTranscription();
    await expect.poll(() => stateOf(before.id)).toBe("done");
    way.freeze();
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await aTranscription()).id));
    await expect.poll(fetched).toBeGreaterThan(3);
    const states = await Promise.all(ids.map(find));
    expect(states.map((one) => one?.state)).not.toContain("failed");
    expect(states).toContainEqual({ state: "queued", progress: 0, waitingFor: "platform" });
    const inVain = fetched();
    way.thaw();
    for (const id of ids) await expect.poll(() => stateOf(id)).toBe("done");
    expect(fetched() - inVain).toBeLessThanOrEqual(ids.length + 1);
    expect(outages).toEqual(["platform standin true", "platform standin false"]);
  });

  test("but reports trouble, for any request, keeps reels waiting too", async () => {
    let isInTrouble = true;
    const server = createServer((platformRequest, response) => {
      if (isInTrouble) return void response.writeHead(503).end("Service Unavailable");
      const headers = { ...platformRequest.headers, host: new URL(standin.origin).host };
      platformRequest.pipe(
        request(`${standin.origin}${platformRequest.url}`, { method: platformRequest.method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { outages } = await startWorker("waiting", await listen(server), { outageSeconds: 600 });
    const ids = await Promise.all(Array.from({ length: 3 }, async () => (await aTranscription()).id));
    await expect.poll(() => outages).toEqual(["platform standin true"]);
    for (const id of ids) expect((await find(id))?.state).not.toBe("failed");
    isInTrouble = false;
    for (const id of ids) await expect.poll(() => stateOf(id)).toBe("done");
    expect(outages).toEqual(["platform standin true", "platform standin false"]);
  });

  test("long enough ends every reel that waits, and nothing stays held", async () => {
    const [way] = ways;
    way.freeze();
    await startWorker("waiting", way, { silenceSeconds: 5, outageSeconds: 1 });
    const transcriptions = await Promise.all([aTranscription(), aTranscription(), aTranscription()]);
    for (const { id, accountId } of transcriptions) {
      await expect.poll(() => find(id)).toMatchObject({ state: "failed", failure: unreachable });
      expect(await opened.store.allowances.read({ accountId, slot: 1 }, "lifetime")).toEqual({ used: 0, held: 0 });
    }
  });

  test.each([
    ["while others have theirs", async (): Promise<void> => void (await aTranscription())],
    ["also when nobody else asks for one", async (): Promise<void> => undefined],
  ])("ends a reel that alone gets no answer, %s", async (_how, askForAnother) => {
    const { code } = standin.addReel({ bytes: Buffer.from("not looked at") });
    const blamed = reelAddress(standinPlatform(standin), code)!;
    await startWorker("blaming", ways[0], { outageSeconds: 600, unanswered: blamed.mediaId });
    const before = await aTranscription();
    await expect.poll(() => stateOf(before.id)).toBe("done");
    const { id: accountId } = await anAccount(opened.store);
    const outcome = await ask(opened.store, blamed, anAllowance(accountId), { now: new Date() });
    const id = outcome.kind === "started" ? outcome.transcriptionId : expect.fail(outcome.kind);
    await expect.poll(() => find(id)).toMatchObject({ state: "queued", waitingFor: "platform" });
    await askForAnother();
    await expect.poll(() => find(id)).toMatchObject({ state: "failed", failure: unreachable });
    expect(await opened.store.allowances.read({ accountId, slot: 1 }, "lifetime")).toEqual({ used: 0, held: 0 });
  });
});
