import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ServiceError } from "@reelscript/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ReelSource, Store, Transcriber } from "../../src/ports.ts";
import { RecognizerAway } from "../../src/recognition/recognition-errors.ts";
import { startTranscriptionWorker } from "../../src/worker/transcription-worker.ts";
import { anAccount, anAllowance, aReel, ask, emptyQueue, transcriptOf } from "../database/conformance/fixtures.ts";
import { openEmbedded } from "../database/opened-stores.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

/** The tests of the worker have the other reasons: crashedReel, noRoom and recognizerStalled. */
describe("a worker that claims nothing says why:", () => {
  let opened: Awaited<ReturnType<typeof openEmbedded>>;
  let store: Store;
  const directory = directoryOfTests(tmpdir());
  const workers: ReturnType<typeof startTranscriptionWorker>[] = [];
  const gate = createGatedTranscriber();

  beforeAll(async () => {
    opened = await openEmbedded();
    ({ store } = opened);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await emptyQueue(store);
  });
  afterAll(() => opened.close());

  const healthy: ReelSource = {
    resolve: () => expect.fail("nobody asks for details"),
    async fetch(reel, file) {
      await writeFile(file, "media");
      return transcriptOf(reel).reel;
    },
  };
  const refusing = (error: ServiceError, isSilent: boolean): ReelSource => ({
    ...healthy,
    fetch(_reel, _file, _signal, contact) {
      if (isSilent) contact?.onSilence();
      return Promise.reject(error);
    },
  });
  const onFullDisk: ReelSource = {
    ...healthy,
    async fetch(reel) {
      await writeFile("/dev/full", "media");
      return transcriptOf(reel).reel;
    },
  };
  const failing = (error: Error): Transcriber => ({ ...gate, transcribe: () => Promise.reject(error) });

  interface Changes {
    readonly source?: ReelSource;
    readonly transcriber?: Transcriber;
    readonly on?: () => Store;
  }
  const begin = ({ source = healthy, transcriber = gate, on = () => store }: Changes) => {
    const obstacles: (string | undefined)[] = [];
    const worker = startTranscriptionWorker({
      store: on(),
      source,
      transcriber,
      clock: { now: () => new Date() },
      name: "held up",
      workDirectory: path.join(directory, "held up"),
      maxMediaBytes: 1_000,
      maxFileBytes: 1_000,
      maxFileSeconds: 3_600,
      concurrency: 2,
      outageSeconds: 600,
      onFault: () => undefined,
      onObstacle: (obstacle) => void obstacles.push(obstacle),
    });
    workers.push(worker);
    return { worker, obstacles };
  };
  const withFellow = (): Store => ({
    ...store,
    workers: { report: async () => [{ name: "well", isWell: true, seenAt: new Date() }] },
  });
  const withoutClaims = (): Store => ({
    ...store,
    transcriptions: {
      ...store.transcriptions,
      claim: () => Promise.reject(new ServiceError("unavailable", "The database is away.", { retryAfter: 1 })),
    },
  });
  const unreachable = new ServiceError("upstreamError", "No answer.", { reason: "platformUnreachable" });
  const busy = new ServiceError("upstreamError", "Too many wait.", { reason: "platformBusy", retryAfter: 60 });

  test.each<[string, Changes]>([
    ["platformBusy", { source: refusing(busy, false) }],
    ["platformSilent", { source: refusing(unreachable, true), on: withFellow }],
    ["recognizerAway", { transcriber: failing(new RecognizerAway(undefined, new Error("refused"))) }],
    ["resting", { source: onFullDisk }],
    ["databaseAway", { on: withoutClaims }],
  ])("%s", async (reason, changes) => {
    const { id } = await anAccount(store);
    for (let count = 0; count < 2; count += 1) await ask(store, aReel(), anAllowance(id), { now: new Date() });
    const { obstacles } = begin(changes);
    await expect.poll(() => obstacles).toContain(reason);
  });

  test("draining", async () => {
    const { worker, obstacles } = begin({});
    await worker.drain();
    expect(obstacles).toContain("draining");
  });
});
