import { copyFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createEmbeddedRecognizer, embeddedModelDirectory } from "@reelscript/whisper";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { reelAddress } from "../../src/adapters/platforms/platform.ts";
import { createReelSources } from "../../src/adapters/reel-sources.ts";
import type { Claim, ReelSource, Store, Transcriber } from "../../src/ports.ts";
import { startTranscriptionWorker } from "../../src/worker/transcription-worker.ts";
import { anAccount, anAllowance, aReel, ask, emptyQueue, transcriptOf } from "../database/conformance/fixtures.ts";
import { openEmbedded } from "../database/opened-stores.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { openTestTranscriber } from "../harness/test-transcriber.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

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
  gate.open();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await emptyQueue(store);
});
afterAll(() => opened.close());

/** Writes the media where it is told, or to a disk that is always full. */
const sourceTo = (fileOf: (file: string) => string): ReelSource => ({
  resolve: () => expect.fail("nobody asks for details"),
  async fetch(reel, file) {
    await writeFile(fileOf(file), "media");
    return transcriptOf(reel).reel;
  },
});
const healthy = sourceTo((file) => file);
const onFullDisk = sourceTo(() => "/dev/full");

interface Changes {
  readonly source?: ReelSource;
  readonly transcriber?: Transcriber;
  readonly workDirectory?: string;
  readonly maxMediaBytes?: number;
  readonly maxFileBytes?: number;
  readonly on?: Store;
}

function startWorker(
  name: string,
  { source, transcriber, workDirectory, maxMediaBytes, maxFileBytes, on }: Changes = {},
) {
  const faults: { error: unknown; claim: Claim | undefined }[] = [];
  const obstacles: (string | undefined)[] = [];
  const worker = startTranscriptionWorker({
    store: on ?? store,
    source: source ?? healthy,
    transcriber: transcriber ?? gate,
    clock: { now: () => new Date() },
    name,
    workDirectory: workDirectory ?? path.join(directory, name),
    maxMediaBytes: maxMediaBytes ?? 1_000,
    maxFileBytes: maxFileBytes ?? 1_000,
    maxFileSeconds: 3_600,
    concurrency: 2,
    outageSeconds: 0,
    onFault: (error, claim) => void faults.push({ error, claim }),
    onObstacle: (obstacle) => void obstacles.push(obstacle),
  });
  workers.push(worker);
  return { faults, obstacles, stop: () => worker.stop() };
}

async function aTranscription(): Promise<string> {
  const { id } = await anAccount(store);
  const outcome = await ask(store, aReel(), anAllowance(id), { now: new Date() });
  return outcome.kind === "started" ? outcome.transcriptionId : expect.fail(outcome.kind);
}
const stateOf = async (id: string) => (await store.transcriptions.find(id))?.state;
async function becomes(id: string, state: string): Promise<void> {
  await expect.poll(() => stateOf(id)).toBe(state);
}

describe("a worker whose recognizer hangs", () => {
  test("returns waiting reels to other workers and claims nothing more", async () => {
    const stuck = createGatedTranscriber();
    stuck.close();
    const silent: Transcriber = {
      ...stuck,
      transcribe: (file, options) => stuck.transcribe(file, { ...options, onProgress: () => undefined }),
    };
    const withFellow: Store = {
      ...store,
      workers: { report: async () => [{ name: "well", isWell: true, seenAt: new Date() }] },
    };
    const { obstacles } = startWorker("stuck", { transcriber: silent, on: withFellow });
    const ids = await Promise.all([aTranscription(), aTranscription()]);
    const states = async () =>
      (await Promise.all(ids.map(stateOf))).map(String).toSorted((one, other) => one.localeCompare(other));
    await expect.poll(states).toEqual(["running", "running"]);
    await expect.poll(states).toEqual(["queued", "running"]);
    const later = await aTranscription();
    startWorker("well");
    await becomes(later, "done");
    await expect.poll(states).toEqual(["done", "running"]);
    expect(obstacles).toEqual(["recognizerStalled"]);
    const media = async () => (await readdir(path.join(directory, "stuck"), { recursive: true })).length;
    // The folder and the file of the reel in hand.
    await expect.poll(media).toBe(2);
    stuck.open();
    await expect.poll(states).toEqual(["done", "done"]);
  });
});

test("reels wait for the only hanging recognizer, and are fetched once", async () => {
  const fetches: string[] = [];
  const source: ReelSource = {
    ...healthy,
    fetch(reel, file, signal) {
      fetches.push(reel.mediaId);
      return healthy.fetch(reel, file, signal);
    },
  };
  gate.close();
  startWorker("alone", { source });
  const ids = await Promise.all([aTranscription(), aTranscription(), aTranscription()]);
  const begun = performance.now();
  await expect.poll(() => fetches.length).toBe(2);
  // Longer than a recognizer may stand still before what waits for it would go elsewhere.
  await expect.poll(() => performance.now() - begun).toBeGreaterThan(4_500);
  gate.open();
  for (const id of ids) await becomes(id, "done");
  expect(fetches).toHaveLength(3);
});

test("a frozen recognizer is replaced without costing the reel a try", async () => {
  const recognizer = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory });
  const { transcriber, close } = await openTestTranscriber({
    recognizer: async () => recognizer,
    maxSeconds: 900,
    limits: undefined,
  });
  try {
    await recognizer.ready();
    const [child] = recognizer.processIds();
    process.kill(child ?? 0, "SIGSTOP");
    const media = fileURLToPath(new URL("../../../platform-standin/reels/en-amiable.mp4", import.meta.url));
    let fetches = 0;
    const source: ReelSource = {
      ...healthy,
      async fetch(reel, file) {
        fetches += 1;
        await copyFile(media, file);
        return transcriptOf(reel).reel;
      },
    };
    const { faults } = startWorker("frozen", { source, transcriber });
    const id = await aTranscription();
    await becomes(id, "running");
    await expect.poll(() => faults.length).toBe(1);
    expect(faults).toMatchObject([
      { error: { name: "RecognizerSilent" }, claim: { transcriptionId: id, setbacks: 0 } },
    ]);
    await expect.poll(() => stateOf(id)).toBe("done");
    expect(faults).toHaveLength(1);
    expect(fetches, "the media were there").toBe(1);
  } finally {
    await close();
  }
});

describe("a worker whose machine fails", () => {
  test("with a full disk costs no try; another does the work", async () => {
    const sick = startWorker("full", { source: onFullDisk });
    const ids = await Promise.all([aTranscription(), aTranscription(), aTranscription()]);
    await expect.poll(() => sick.faults.length).toBeGreaterThanOrEqual(2);
    expect(sick.faults.map(({ error }) => error)).toContainEqual(expect.objectContaining({ code: "ENOSPC" }));
    expect(await Promise.all(ids.map(stateOf))).not.toContain("failed");
    startWorker("well");
    for (const id of ids) await becomes(id, "done");
  });

  test.each([
    ["says so", "ERROR: unable to write data: [Errno 28] No space left on device"],
    [
      "says so as it unpacks itself",
      "[PYI-77:ERROR] Failed to extract libssl.so: fwrite failed: No space left on device",
    ],
  ])("with a disk that yt-dlp fills and that %s costs no try", async (_how, complaint) => {
    const program = path.join(directory, "yt-dlp");
    await writeFile(program, `#!/bin/sh\necho '${complaint}' >&2\nexit 1\n`, { mode: 0o755 });
    const sources = await createReelSources({
      order: ["ytdlp"],
      platforms: [instagram],
      ytdlp: { path: program, workDirectory: directory },
      clock: { now: () => new Date() },
      log: () => undefined,
    });
    const reel = reelAddress(instagram, "DLlGZiCOBQ0")!;
    const source: ReelSource = { ...sources, fetch: (_reel, file, signal) => sources.fetch(reel, file, signal) };
    const sick = startWorker("filled by yt-dlp", { source });
    const id = await aTranscription();
    await expect.poll(() => sick.faults.length).toBeGreaterThanOrEqual(1);
    expect(sick.faults[0]).toMatchObject({ error: { code: "ENOSPC" }, claim: { transcriptionId: id } });
    startWorker("well");
    await becomes(id, "done");
  });

  test("because it can't create a folder holds nothing; another does the work", async () => {
    const deep = path.join(
      directory,
      ..."x"
        .repeat(16)
        .split("")
        .map((letter) => letter.repeat(250)),
    );
    const tooLong = path.join(deep, "y".repeat(4_090 - deep.length - 1));
    const sick = startWorker("unable", { workDirectory: tooLong });
    const id = await aTranscription();
    await expect.poll(() => sick.faults.length).toBeGreaterThanOrEqual(1);
    expect(sick.faults[0]).toMatchObject({ error: { code: "ENAMETOOLONG" }, claim: { transcriptionId: id } });
    await becomes(id, "queued");
    startWorker("well");
    await becomes(id, "done");
  });

  test("because its disk has no room claims nothing, and says so once", async () => {
    const sick = startWorker("small", { maxMediaBytes: 1e15 });
    await expect.poll(() => sick.faults.length).toBe(1);
    expect(String(sick.faults[0]?.error)).toMatch(/lack of room.* MB are free, 2000000000 MB are needed/);
    const id = await aTranscription();
    startWorker("well");
    await becomes(id, "done");
    await sick.stop();
    expect(sick.faults).toHaveLength(1);
    expect(sick.obstacles).toEqual(["noRoom"]);
  });

  test("that has room for reels but not for files claims reels, and says once that files wait", async () => {
    const narrow = startWorker("narrow", { maxFileBytes: 1e15 });
    await expect.poll(() => narrow.faults.length).toBe(1);
    expect(String(narrow.faults[0]?.error)).toMatch(/No files are heard here for lack of room/);
    await becomes(await aTranscription(), "done");
    await becomes(await aTranscription(), "done");
    await narrow.stop();
    expect(narrow.faults).toHaveLength(1);
  });

  test("gets its folder again when somebody removed it, and leaves nothing behind", async () => {
    const folder = path.join(directory, "removed");
    startWorker("removed", { workDirectory: folder });
    await becomes(await aTranscription(), "done");
    await rm(folder, { recursive: true });
    await becomes(await aTranscription(), "done");
    await expect.poll(() => readdir(folder)).toEqual([]);
  });
});

test.each([
  ["a second try is another worker's, if there is one", true, "done", 1],
  ["a worker that is alone tries twice, then gives up", false, "failed", 2],
])("%s", async (_name, hasFellow, state, count) => {
  let tries = 0;
  const breaking: Transcriber = {
    model: "breaks",
    revision: 1,
    measure: async () => ({ seconds: 3, isLonger: false }),
    async transcribe() {
      tries += 1;
      if (hasFellow) startWorker("well");
      throw new Error("it broke");
    },
  };
  startWorker("breaking", { transcriber: breaking });
  await becomes(await aTranscription(), state);
  expect(tries).toBe(count);
});

test("what was in hand at a crash is worked on alone", async () => {
  const crashed = await aTranscription();
  await store.transcriptions.claim("dead", 0, new Date());
  gate.close();
  startWorker("careful");
  await becomes(crashed, "running");
  const others = await Promise.all([aTranscription(), aTranscription()]);
  const progress = async () => (await store.transcriptions.find(crashed)) as object;
  await expect.poll(progress).toMatchObject({ progress: 0.525 });
  expect(await Promise.all(others.map(stateOf))).toEqual(["queued", "queued"]);
  gate.open();
  for (const id of [crashed, ...others]) await becomes(id, "done");
});
