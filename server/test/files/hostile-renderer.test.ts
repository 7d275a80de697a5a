import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ServiceError, videoLimits } from "@reelscript/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { findVideoRenderer } from "../../src/adapters/videos/ffmpeg-renderer.ts";
import type { BeginVideoNeeds } from "../../src/features/videos/begin-video.ts";
import { beginVideosOfFiles } from "../../src/features/videos/begin-videos-of-files.ts";
import type { VideoRenderer } from "../../src/ports.ts";
import { RenderError } from "../../src/ports/video-renderer.ts";
import { mostVideoTries } from "../../src/ports/videos.ts";
import { startVideoWorker } from "../../src/worker/videos/video-worker.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTest, type TestService } from "../harness/start-test-service.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { createEndlessRenderer } from "./endless-renderer.ts";
import { aFileSender, aVideo } from "./file-sender.ts";
import { impatientPath, speechOf } from "./video-clips.ts";

const directory = directoryOfTests();
let searchPath: string;
beforeAll(async () => {
  searchPath = await impatientPath(await mkdtemp(path.join(directory, "programs-")));
});
const hasChrt = spawnSync("chrt", ["--version"]).status === 0;

/** A program in the place of ffmpeg that can do everything, and renders as the given lines of a shell say. */
async function rendererThat(
  lines: string,
  options: { readonly memoryBytes?: number; readonly searchPath?: string | undefined } = {},
) {
  const file = path.join(await mkdtemp(path.join(directory, "program-")), "ffmpeg");
  const script = [
    "#!/bin/sh",
    'case "$*" in',
    '*-filters*) echo " ... ass               V->V       Render."; exit ;;',
    '*-encoders*) echo " V....D libx264              H.264"; exit ;;',
    "*-version*) exit ;;",
    "*-progress*) ;;",
    "*)",
    '  echo "[info]   Duration: 00:00:03.00, start: 0.000000, bitrate: 1 kb/s" >&2',
    '  echo "[info]   Stream #0:0(und): Video: h264, yuv420p, 720x1280" >&2',
    '  echo "[info]   Stream #0:1(und): Audio: aac (LC), 44100 Hz, mono" >&2',
    "  exit 1 ;;",
    "esac",
    lines,
  ].join("\n");
  await writeFile(file, script);
  await chmod(file, 0o700);
  const renderer = await findVideoRenderer({ ffmpegPath: file, searchPath, ...options });
  return renderer ?? expect.fail("it isn't a renderer");
}

const good = 'echo "frame=90"; echo "out_time_us=3000000"; printf video > video.mp4; exit 0';

async function render(renderer: VideoRenderer, signal = new AbortController().signal) {
  const folder = await mkdtemp(path.join(directory, "job-"));
  await writeFile(path.join(folder, "media"), await aVideo());
  const shares: number[] = [];
  const job = { directory: folder, media: "media", subtitles: "subtitles.ass", output: "video.mp4", signal };
  const result = await renderer.render({ ...job, onProgress: (share) => void shares.push(share) }).then(
    (rendered) => rendered,
    (error: unknown) => error,
  );
  return { result, shares };
}

const failureIn = ({ result }: { readonly result: unknown }): string =>
  result instanceof RenderError ? result.failure : String(result);

describe("the renderer", () => {
  test("reports its progress, and letters without a font", async () => {
    const missing =
      "[Parsed_ass_5 @ 0x5] [warning] fontselect: failed to find any fallback with glyph 0x4E2D for font: (x)";
    const { result, shares } = await render(await rendererThat(`echo "${missing}" >&2; ${good}`));
    expect([result, shares]).toEqual([{ lacksLetters: true }, [1]]);
    const joiner = missing.replace("4E2D", "2060");
    expect((await render(await rendererThat(`echo "${joiner}" >&2; ${good}`))).result).toEqual({ lacksLetters: false });
  });

  test.skipIf(!hasChrt)(
    `computes only while nobody else wants to, without an environment${hasChrt ? "" : " (skipped: there is no chrt)"}`,
    async () => {
      const file = path.join(directory, "surroundings");
      const lines = `chrt -p $$ > ${file}; tr '\\0' '\\n' < /proc/$$/environ >> ${file}; ${good}`;
      await render(await rendererThat(lines, { searchPath: process.env["PATH"] }));
      const surroundings = await readFile(file, "utf8");
      expect(surroundings).toContain("SCHED_IDLE");
      expect(surroundings).not.toContain("=");
    },
  );

  test("ends a program that stands still", async () => {
    expect(failureIn(await render(await rendererThat("exec sleep 1000")))).toBe("stoodStill");
  });

  test("ends a program that dies, prints without end or ends without a picture, and says why", async () => {
    expect(failureIn(await render(await rendererThat("kill -SEGV $$")))).toBe("broke");
    expect(failureIn(await render(await rendererThat("kill -KILL $$"))), "as at the limit").toBe("tookTooLong");
    const flood =
      'i=0; while [ $i -lt 20000 ]; do echo "[error] no good 0123456789012345678901234567890" >&2; i=$((i+1)); done';
    expect(failureIn(await render(await rendererThat(`${flood}; ${good}`))), "it is read, and forgotten").toContain(
      "[object Object]",
    );
    expect(failureIn(await render(await rendererThat("exit 0")))).toBe("noPicture");
    expect(failureIn(await render(await rendererThat('echo "frame=5"; exit 3')))).toBe("broke");
  });

  test("ends a program that takes too much memory, or writes too much", async () => {
    const greedy = "exec tail /dev/zero";
    const limited = await rendererThat(greedy, { memoryBytes: 50_000_000 });
    expect(failureIn(await render(limited))).toBe("tookTooMuchMemory");
    const large = `truncate -s ${videoLimits.mostBytes + 1} video.mp4 || { echo "[error] File too large" >&2; exit 1; }; ${good}`;
    expect(failureIn(await render(await rendererThat(large)))).toBe("tooLarge");
  });

  test("refuses what is longer than its container states", async () => {
    const longer = `echo "frame=1"; echo "out_time_us=${(videoLimits.longestSeconds + 1) * 1_000_000}"; printf v > video.mp4`;
    expect(failureIn(await render(await rendererThat(longer)))).toBe("tooLong");
  });

  test("ends with its caller", async () => {
    const gone = new AbortController();
    const rendering = render(await rendererThat('while true; do echo "frame=1"; sleep 0.1; done'), gone.signal);
    setTimeout(() => gone.abort(new Error("the caller left")), 300);
    expect(failureIn(await rendering)).toContain("the caller left");
    const left = AbortSignal.abort(new Error("before it began"));
    const trace = path.join(directory, "rendered-for-nobody");
    const late = await rendererThat(`sleep 1; touch ${trace}; ${good}`);
    expect(failureIn(await render(late, left))).toContain("before it began");
    expect(existsSync(trace)).toBe(false);
  });

  test("isn't found where ffmpeg lacks libass, is missing or isn't wanted", async () => {
    const file = path.join(directory, "plain-ffmpeg");
    await writeFile(file, '#!/bin/sh\necho " V....D libx264              H.264"\n', { mode: 0o700 });
    const searchPath = process.env["PATH"];
    expect(await findVideoRenderer({ ffmpegPath: file, searchPath })).toBeUndefined();
    expect(await findVideoRenderer({ ffmpegPath: path.join(directory, "none"), searchPath })).toBeUndefined();
    expect(await findVideoRenderer({ ffmpegPath: "embedded", searchPath })).toBeUndefined();
    expect(await findVideoRenderer({ ffmpegPath: undefined, searchPath: directory })).toBeUndefined();
  });
});

describe("videos whose renderer fails", () => {
  const transcriber = createScriptedTranscriber();

  test("and that can't even be begun hold up no other account's", async () => {
    let broken = "";
    const service = await serviceOfTest({
      transcriber,
      videoRenderer: createEndlessRenderer(),
      scriptsOf: (scripts) => ({
        ...scripts,
        findUnread: async (accountId, ...more) => {
          if (accountId === broken) throw new Error("not readable");
          return scripts.findUnread(accountId, ...more);
        },
      }),
      rateLimits: { transcribe: 1_000, address: 100_000 },
      repeated: ["transcribe-files", "begin-videos"],
    });
    const ana = await aFileSender(service);
    const ben = await aFileSender(service);
    broken = ana.accountId;
    for (const sender of [ana, ben]) {
      transcriber.tell(speechOf("Salt comes first", "en"));
      await sender.ended((await sender.send(await aVideo(), { videoStyle: "oneLine" })).id);
    }
    await expect.poll(async () => (await service.store.videos.list(ben.accountId)).length).toBe(1);
    await expect.poll(async () => await service.store.videos.due(10)).toEqual([]);
    expect(service.faults.map(({ error }) => String(error))).toEqual(["Error: not readable"]);
    service.faults.splice(0);
  });

  test("and that wait for room are looked at again after a while, not at once", async () => {
    const begun: string[] = [];
    const files = Array.from({ length: 20 }, (_, index) => ({ fileId: `${index}`, accountId: "a", scriptId: "s" }));
    const task = beginVideosOfFiles({
      scripts: {
        findUnread: async () => {
          throw new ServiceError("unavailable", "no room", { retryAfter: 1 });
        },
      },
      videos: {
        due: async () => files.map((file) => ({ ...file, style: "oneLine" as const })),
        noteBegun: async (fileId: string) => void begun.push(fileId),
      },
    } as unknown as BeginVideoNeeds);
    expect([await task.run(new Date(), AbortSignal.timeout(60_000)), begun]).toEqual([false, []]);
  });

  async function aService(videoRenderer?: VideoRenderer) {
    const service = await serviceOfTest({
      transcriber,
      ...(videoRenderer && { videoRenderer }),
      rateLimits: { transcribe: 1_000, address: 100_000 },
      repeated: ["transcribe-files"],
    });
    const ana = await aFileSender(service);
    transcriber.tell(speechOf("Salt comes first", "en"));
    const { id } = await ana.send(await aVideo(), { keepDays: 7 });
    const { scriptId } = await ana.ended(id);
    const ask = (url: string, call = {}) => rest(service.url, url, { key: ana.key, ...call });
    const begin = async () => (await ask("/videos", { body: { scriptId, style: "oneLine" } })).body.id as string;
    return { service, ana, fileId: id, scriptId: scriptId!, ask, begin };
  }
  const forget = (service: TestService): void => void service.faults.splice(0);

  test("are tried a few times, then fail with the reason, and leave no file behind", async () => {
    let tries = 0;
    const { service, ask, begin } = await aService({
      description: "broken",
      render: async () => {
        tries += 1;
        throw new RenderError("tookTooMuchMemory", "too much");
      },
    });
    const id = await begin();
    await expect
      .poll(
        async () => {
          service.clock.advance(10_000);
          return (await ask(`/videos/${id}`)).body;
        },
        { timeout: 30_000 },
      )
      .toMatchObject({
        status: "failed",
        error: { code: "internalError", message: expect.stringContaining("more memory than the limit") },
      });
    expect(tries).toBe(mostVideoTries);
    await expect
      .poll(async () => (await readdir(service.directory)).filter((name) => name.startsWith("video-")))
      .toEqual([]);
    forget(service);
  });

  test("fail at once if the file is at fault, or gone", async () => {
    let tries = 0;
    const { service, ana, fileId, ask, begin } = await aService({
      description: "picky",
      render: async () => {
        tries += 1;
        throw new RenderError("noPicture", "no picture");
      },
    });
    const state = async (id: string) => (await ask(`/videos/${id}`)).body.error?.reason;
    const first = await begin();
    await expect.poll(() => state(first)).toBe("noPicture");
    expect(tries).toBe(1);
    const claimed = await begin();
    await rest(service.url, `/files/${fileId}`, { key: ana.key, method: "DELETE" });
    await expect.poll(() => state(claimed), { timeout: 20_000 }).toMatch(/fileNotKept|noPicture/);
  });

  test("fail at once if making them took longer than the limit, because it would again", async () => {
    let tries = 0;
    const { service, ask, begin } = await aService({
      description: "slow",
      render: async () => {
        tries += 1;
        throw new RenderError("tookTooLong", "too long");
      },
    });
    const id = await begin();
    await expect
      .poll(async () => (await ask(`/videos/${id}`)).body.error?.message, { timeout: 20_000 })
      .toContain("longer than the limit");
    expect(tries).toBe(1);
    forget(service);
  });

  test("are given up when they are deleted while they are made", async () => {
    const signals: AbortSignal[] = [];
    const { service, ask, begin } = await aService(createEndlessRenderer((signal) => signals.push(signal)));
    const id = await begin();
    await expect.poll(async () => (await ask(`/videos/${id}`)).body.progress, { timeout: 20_000 }).toBe(0.475);
    await ask(`/videos/${id}`, { method: "DELETE" });
    await expect.poll(() => signals[0]?.aborted, { timeout: 20_000 }).toBe(true);
    const other = await begin();
    await expect.poll(async () => (await ask(`/videos/${other}`)).body.status, { timeout: 20_000 }).toBe("running");
    await expect.poll(() => signals.length).toBe(2);
    expect(await service.store.videos.claim("other", 30, service.clock.now()), "it has a lease").toBeUndefined();
  });

  test("go back when their worker stops, which doesn't count as a try", async () => {
    const { service, ana, fileId, scriptId } = await aService();
    const { videos } = service.store;
    const now = (): Date => service.clock.now();
    const begun = await videos.begin(
      { accountId: ana.accountId, fileId, scriptId, style: "oneLine", subtitles: "", seconds: 1, now: now() },
      { mostOfAccount: 1, mostBytes: 1e9 },
    );
    const id = begun.kind === "begun" ? begun.video.id : expect.fail(begun.kind);
    for (let times = 0; times <= mostVideoTries; times += 1) {
      const worker = startVideoWorker({
        store: service.store,
        renderer: createEndlessRenderer(),
        clock: service.clock,
        workDirectory: service.directory,
        name: `worker ${times}`,
        maxFileBytes: 1,
        bytesOfTranscriptions: 1,
        onFault: (error) => expect.fail(String(error)),
      });
      await expect.poll(async () => (await videos.find(ana.accountId, id))?.state).toBe("running");
      await worker.stop();
      expect((await videos.find(ana.accountId, id))?.state).toBe("queued");
    }
    expect((await readdir(service.directory)).filter((name) => name.startsWith("video-"))).toEqual([]);
  });

  test("hold up no transcription", async () => {
    const { ana, ask, begin } = await aService(createEndlessRenderer());
    const id = await begin();
    await expect.poll(async () => (await ask(`/videos/${id}`)).body.status, { timeout: 20_000 }).toBe("running");
    transcriber.tell(speechOf("Then the flour", "en"));
    const next = await ana.send(await aVideo(0, "n"));
    expect((await ana.ended(next.id)).status).toBe("done");
    expect((await ask(`/videos/${id}`)).body.status).toBe("running");
  });
});
