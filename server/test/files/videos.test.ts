import path from "node:path";
import { videoStyleNames, type SubtitledVideo, type VideoStyleName } from "@reelscript/contract";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findVideoRenderer } from "../../src/adapters/videos/ffmpeg-renderer.ts";
import type { VideoRenderer } from "../../src/ports.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { createScriptedTranscriber, type ScriptedSpeech } from "../harness/scripted-transcriber.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";
import { lookAfter } from "../harness/look-after.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { aFileSender, aVideo, type FileSender, patch } from "./file-sender.ts";
import {
  aClip,
  boxOf,
  canDraw,
  describeVideoFile,
  frameOf,
  hasFonts,
  impatientPath,
  isWhite,
  isYellow,
  skipNote,
  soundOf,
  speechOf,
} from "./video-clips.ts";

/** A folder for pictures of each style and language, if somebody wants to look at them. */
const pictures = process.env["VIDEO_PICTURES"];

const transcriber = createScriptedTranscriber();
const directory = directoryOfTests();
let renderer: VideoRenderer | undefined;
beforeAll(async () => {
  renderer = await findVideoRenderer({ ffmpegPath: undefined, searchPath: await impatientPath(directory) });
});
const parts = {
  transcriber,
  rateLimits: { transcribe: 1_000, address: 100_000 },
  repeated: ["transcribe-files", "begin-videos"],
};

async function aScript(sender: FileSender, speech: ScriptedSpeech, bytes: Buffer, input = {}): Promise<string> {
  transcriber.tell(speech);
  const { id } = await sender.send(bytes, { keepDays: 7, ...input });
  const file = await sender.ended(id);
  return file.scriptId ?? expect.fail(JSON.stringify(file));
}

const english = speechOf("Salt comes first and then {\\an8}the flour", "en");
const hindi = speechOf("पहले क्षमा कीजिए फिर विद्यार्थी श्रम करते हैं", "hi");
const arabic = speechOf("مرحبا بكم في المطبخ نبدأ الآن بالملح", "ar");

describe.skipIf(!canDraw)(`subtitled videos${skipNote(canDraw, "ffmpeg with libass")}`, () => {
  const service = serviceOfTests(() => ({ ...parts, videoRenderer: renderer as VideoRenderer }));
  const ask = (key: string, url: string, options = {}) => rest(service.url, url, { key, ...options });
  const ended = async (key: string, id: string): Promise<SubtitledVideo> => {
    await expect
      .poll(async () => (await ask(key, `/videos/${id}`)).body.status, { timeout: 120_000, interval: 250 })
      .toMatch(/done|failed/);
    return (await ask(key, `/videos/${id}`)).body;
  };
  async function make(key: string, scriptId: string, style: VideoStyleName = "highlight"): Promise<SubtitledVideo> {
    const begun = await ask(key, "/videos", { body: { scriptId, style } });
    expect([begun.status, begun.body.status], JSON.stringify(begun.body)).toEqual([200, "queued"]);
    return ended(key, begun.body.id);
  }
  async function bytesOf(key: string, video: SubtitledVideo): Promise<Buffer> {
    const response = await fetch(video.downloadUrl!, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  test("are upright H.264 with the file's own sound, and are downloaded in ranges by their account alone", async () => {
    const ana = await aFileSender(service);
    const clip = await aClip();
    const scriptId = await aScript(ana, english, clip);
    expect((await ask(ana.key, `/videos?scriptId=${scriptId}`)).body).toEqual({ canMake: true, videos: [] });
    const video = await make(ana.key, scriptId);
    expect(video, JSON.stringify(video.error)).toMatchObject({ status: "done", progress: 1, style: "highlight" });
    const bytes = await bytesOf(ana.key, video);
    expect(bytes.length).toBe(video.bytes);
    const streams = await describeVideoFile(bytes);
    expect(streams).toMatch(/Video: h264 \(High\).*yuv420p.*1080x1920/);
    expect(streams).toMatch(/Audio: aac/);
    expect(bytes.indexOf("moov"), "its description comes first").toBeLessThan(bytes.indexOf("mdat"));
    expect(await soundOf(bytes)).toBe(await soundOf(clip));
    const head = { authorization: `Bearer ${ana.key}`, range: "bytes=10-19" };
    const range = await fetch(video.downloadUrl!, { headers: head });
    expect([range.status, range.headers.get("content-range")]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(Buffer.from(await range.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    expect(range.headers.get("content-disposition")).toContain(`${scriptId}-highlight.mp4`);
    const bob = await aFileSender(service);
    expect((await fetch(video.downloadUrl!, { headers: { authorization: `Bearer ${bob.key}` } })).status).toBe(404);
    expect((await fetch(video.downloadUrl!)).status).toBe(401);
    for (const url of [`/videos/${video.id}`, `/videos?scriptId=${scriptId}`])
      expect((await ask(bob.key, url)).status).toBe(404);
    expect((await ask(bob.key, "/videos", { body: { scriptId, style: "oneLine" } })).status).toBe(404);
  });

  test("show the words where the style says, and nothing when nobody speaks", async () => {
    const ana = await aFileSender(service);
    const scriptId = await aScript(ana, english, await aClip({ seconds: 2 }));
    const bounds = { lowerThird: [1_250, 1_450], oneLine: [1_220, 1_370], highlight: [980, 1_310] } as const;
    for (const style of videoStyleNames) {
      const bytes = await bytesOf(ana.key, await make(ana.key, scriptId, style));
      const frame = await frameOf(bytes, 1);
      const words = boxOf(frame, (...color) => isWhite(...color) || isYellow(...color))!;
      const [top, bottom] = bounds[style];
      expect(words.top, style).toBeGreaterThan(top);
      expect(words.bottom, style).toBeLessThan(bottom);
      expect(words.left, style).toBeGreaterThan(50);
      expect(Math.abs(words.left + words.right - 1_080), `${style} is centered`).toBeLessThan(60);
      expect(boxOf(await frameOf(bytes, 0.05), isWhite), "before the first word").toBeUndefined();
    }
  });

  test("are shaped in every script, and the highlight follows the direction of reading", async () => {
    const ana = await aFileSender(service);
    for (const [language, color, speech] of [
      ["english", "0x103060", english],
      ["hindi", "0x501030", hindi],
      ["arabic", "0x104030", arabic],
    ] as const) {
      const scriptId = await aScript(ana, speech, await aClip({ seconds: 2, color }));
      for (const style of videoStyleNames) {
        const video = await make(ana.key, scriptId, style);
        expect(video, JSON.stringify(video)).toMatchObject({ status: "done" });
        if (hasFonts) expect(video.lacksLetters, language).toBeUndefined();
        const bytes = await bytesOf(ana.key, video);
        const keepAs = pictures && path.join(pictures, `${style}-${language}.png`);
        const words = boxOf(await frameOf(bytes, 0.5, keepAs), (...color) => isWhite(...color) || isYellow(...color));
        expect(words!.pixels, `${style} ${language}`).toBeGreaterThan(500);
        if (style !== "highlight") continue;
        const first = boxOf(await frameOf(bytes, 0.4), isYellow)!;
        const second = boxOf(await frameOf(bytes, 0.9), isYellow)!;
        const moves = second.left + second.right - first.left - first.right;
        expect(Math.sign(moves), language).toBe(language === "arabic" ? -1 : 1);
      }
    }
  });

  test("take any shape, rate, codec and container, scale and pad the picture, and keep the sound or make it AAC", async () => {
    const ana = await aFileSender(service);
    const wide = await aScript(ana, english, await aClip({ size: "640x360", color: "0x800000" }));
    const frame = await frameOf(await bytesOf(ana.key, await make(ana.key, wide, "lowerThird")), 0.1);
    const isRed = (red: number, green: number): boolean => red > 90 && green < 60;
    const picture = boxOf(frame, isRed)!;
    expect([picture.left, picture.right]).toEqual([0, 1_079]);
    expect(picture.bottom - picture.top).toBeGreaterThan(600);
    expect(picture.bottom - picture.top).toBeLessThan(612);
    expect(Math.max(...frame.at(540, 100)), "black above").toBeLessThan(30);
    const webm = await aClip({
      size: "360x640",
      codecs: ["-c:v", "libvpx", "-b:v", "300k", "-deadline", "realtime", "-c:a", "libopus"],
      name: "clip.webm",
    });
    const other = await bytesOf(ana.key, await make(ana.key, await aScript(ana, english, webm), "oneLine"));
    expect(await describeVideoFile(other)).toMatch(/h264[\s\S]*Audio: aac/);
    const silent = await aClip({ sound: [], rate: "240", seconds: 2 });
    const fast = await bytesOf(ana.key, await make(ana.key, await aScript(ana, english, silent), "oneLine"));
    expect(await describeVideoFile(fast)).toMatch(/60 fps/);
    expect(await describeVideoFile(fast)).not.toContain("Audio:");
  });

  test("take pictures whose shape is a line", async () => {
    const ana = await aFileSender(service);
    for (const ratio of ["1/30000", "30000/1"]) {
      const shape = ["-bsf:v", `h264_metadata=sample_aspect_ratio=${ratio}`];
      const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", ...shape];
      const line = await aClip({ size: "2000x2000", seconds: 1, rate: "5", codecs });
      const video = await make(ana.key, await aScript(ana, english, line), "oneLine");
      expect(video, JSON.stringify(video.error)).toMatchObject({ status: "done" });
    }
  });

  test("are begun when the words are there if they were asked for with the file, which is then kept for a week", async () => {
    const ana = await aFileSender(service);
    transcriber.tell(english);
    const upload = await ana.send(await aClip({ seconds: 2 }), { videoStyle: "oneLine" });
    const file = await ana.ended(upload.id);
    expect(file.keepDays).toBe(7);
    const list = `/videos?scriptId=${file.scriptId}`;
    await expect.poll(async () => (await ask(ana.key, list)).body.videos.length, { timeout: 20_000 }).toBe(1);
    const [video] = (await ask(ana.key, list)).body.videos;
    expect(await ended(ana.key, video.id)).toMatchObject({
      status: "done",
      style: "oneLine",
      keptUntil: file.keptUntil,
    });
  });

  test("are asked for by an agent, which gets their progress and address by the same call", async () => {
    const ana = await aFileSender(service);
    const { call, close } = await connectAgent(service.url, ana.key);
    onTestFinished(close);
    const clip = await aClip({ seconds: 2, color: "0x204020" });
    const upload = await call("upload_file", { name: "draft.mp4", bytes: clip.length, videoStyle: "oneLine" });
    expect(upload.data, upload.text).toMatchObject({ keepDays: 7 });
    transcriber.tell(english);
    expect((await patch(upload.data.uploadUrl, 0, clip)).status).toBe(204);
    const { scriptId: id } = await ana.ended(upload.data.id);
    for (const video of ["oneLine", "highlight"]) {
      const begun = await call("update_script", { id, video });
      expect(begun.data.video, begun.text).toMatchObject({ style: video, progress: expect.any(Number) });
      await expect
        .poll(async () => (await call("update_script", { id, video })).text, { timeout: 60_000, interval: 250 })
        .toContain("until");
      const done = await call("update_script", { id, video });
      expect(done.data.video.id, "it is made once").toBe(begun.data.video.id);
      expect(done.text).toContain(done.data.video.downloadUrl);
      expect((await bytesOf(ana.key, done.data.video)).length).toBe(done.data.video.bytes);
    }
    expect((await ask(ana.key, `/videos?scriptId=${id}`)).body.videos).toHaveLength(2);
    const both = await call("update_script", { id, video: "oneLine", tags: [] });
    expect([both.isError, both.text]).toEqual([true, expect.stringContaining("or `video`")]);
    const many = await call("update_script", { ids: [id], video: "oneLine" });
    expect([many.isError, many.text]).toEqual([true, expect.stringContaining("needs `id` for")]);
    const stranger = await aFileSender(service);
    const other = await connectAgent(service.url, stranger.key);
    onTestFinished(other.close);
    expect(await other.call("update_script", { id, video: "oneLine" })).toMatchObject({ isError: true });
  });

  test("that can't be made say so to an agent, and aren't begun again by the same call", async () => {
    const ana = await aFileSender(service);
    const { call, close } = await connectAgent(service.url, ana.key);
    onTestFinished(close);
    const sound = ["-f", "lavfi", "-i", "sine=frequency=500:duration=2"];
    const onlySound = await aClip({ sound, codecs: ["-map", "1:a", "-c:a", "aac"], name: "agent.m4a" });
    const id = await aScript(ana, english, onlySound);
    const text = async () => (await call("update_script", { id, video: "lowerThird" })).text;
    await expect.poll(text, { timeout: 60_000, interval: 250 }).toContain("can't be made");
    await text();
    expect((await ask(ana.key, `/videos?scriptId=${id}`)).body.videos).toHaveLength(1);
  });

  test("leave no row, object or file when they, their file and their account are deleted", async () => {
    const ana = await aFileSender(service);
    const scriptId = await aScript(ana, english, await aClip({ seconds: 2 }));
    const video = await make(ana.key, scriptId, "oneLine");
    const deleted = await ask(ana.key, `/videos/${video.id}`, { method: "DELETE" });
    expect(deleted.body.deletion).toMatchObject({ bytes: video.bytes });
    expect(deleted.body.downloadUrl).toBeUndefined();
    expect(await service.store.videos.readPart(video.id, 0)).toBeUndefined();
    expect((await fetch(video.downloadUrl!, { headers: { authorization: `Bearer ${ana.key}` } })).status).toBe(404);
    const again = await make(ana.key, scriptId, "oneLine");
    await service.store.accounts.remove(ana.accountId, service.clock.now());
    await lookAfter(service.store);
    expect(await service.store.videos.readPart(again.id, 0)).toBeUndefined();
    expect(await service.store.videos.find(ana.accountId, again.id)).toBeUndefined();
  });

  test("are refused in one sentence where they can't be made", async () => {
    const ana = await aFileSender(service);
    const clip = await aClip({ seconds: 1 });
    const gone = await aScript(ana, english, clip, { keepDays: 0 });
    const refusal = async (scriptId: string) => {
      const { status, headers } = await ask(ana.key, "/videos", { body: { scriptId, style: "oneLine" } });
      return [status, headers.get("x-error-reason")];
    };
    expect(await refusal(gone)).toEqual([422, "fileNotKept"]);
    const quiet = await aScript(ana, { text: "", words: null }, await aClip({ seconds: 1.5 }));
    expect(await refusal(quiet)).toEqual([422, "nothingSaid"]);
    const long = await aScript(ana, { ...english, seconds: 601 }, await aClip({ seconds: 1.6 }));
    expect(await refusal(long)).toEqual([422, "videoTooLong"]);
    const sound = ["-f", "lavfi", "-i", "sine=duration=2"];
    const onlySound = await aClip({ sound, codecs: ["-map", "1:a", "-c:a", "aac"], name: "clip.m4a" });
    const soundScript = await aScript(ana, english, onlySound);
    expect(await make(ana.key, soundScript)).toMatchObject({ status: "failed", error: { reason: "noPicture" } });
    expect((await ask(ana.key, "/videos", { body: { scriptId: gone, style: "comic" } })).status).toBe(400);
  });
});

describe("a service without a renderer", () => {
  test("says what its operator should install", async () => {
    const service = await serviceOfTest(parts);
    const ana = await aFileSender(service);
    transcriber.tell(english);
    const upload = await ana.send(await aVideo(), { keepDays: 1 });
    const { scriptId } = await ana.ended(upload.id);
    const list = await rest(service.url, `/videos?scriptId=${scriptId}`, { key: ana.key });
    expect(list.body).toEqual({
      canMake: false,
      advice: expect.stringContaining("apt-get install ffmpeg"),
      videos: [],
    });
    const { status, headers, body } = await rest(service.url, "/videos", {
      key: ana.key,
      body: { scriptId, style: "oneLine" },
    });
    expect([status, headers.get("x-error-reason")]).toEqual([422, "videosNotSetUp"]);
    expect(body.error.message).toContain("fonts-noto-core");
  });
});
