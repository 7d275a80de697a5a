import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { bundledSpeech } from "@reelscript/platform-standin";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { silenceBomb } from "../../../whisper/test/media/silence-bomb.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { aSender as senderTo } from "./media-sender.ts";

const run = promisify(execFile);
/** Only Linux reports a peak of memory in kilobytes. */
const ffmpeg =
  process.platform === "linux"
    ? await run("sh", ["-c", "command -v ffmpeg"]).then(
        ({ stdout }) => stdout.trim(),
        () => undefined,
      )
    : undefined;
const maxAudioSeconds = 60;

/** A day of silence in less than 300 kB. */
const longSilence = silenceBomb(86_400);

const directory = directoryOfTests();
beforeAll(async () => void (ffmpeg !== undefined && (await measureFfmpeg(ffmpeg))));
afterAll(() => void vi.unstubAllEnvs());
const service = serviceOfTests({ maxMediaBytes: 5_000_000, maxAudioSeconds, slots: 2 });

async function aSender() {
  const { sendAndEnd, used } = await senderTo(service);
  return { send: (body: Buffer) => sendAndEnd(service.newReel(), new Uint8Array(body)), used };
}

/** Media are decoded in child processes, so each ffmpeg reports its own peak of memory when it ends. */
async function measureFfmpeg(program: string): Promise<void> {
  // Not by `exec`: a process that takes the place of another one counts the memory of both.
  const script = `#!/bin/sh\nFFREPORT=file='${directory}/'$$.log:level=32 '${program}' -benchmark "$@"\nexit $?\n`;
  await writeFile(path.join(directory, "ffmpeg"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${directory}${path.delimiter}${process.env.PATH}`);
}

/** The peaks of all that have decoded so far, in bytes. */
async function peaksOfFfmpeg(): Promise<readonly number[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith(".log"));
  const reports = await Promise.all(files.map((name) => readFile(path.join(directory, name), "utf8")));
  return reports.flatMap((report) => [...report.matchAll(/maxrss=(\d+)kB/g)].map(([, peak]) => Number(peak) * 1024));
}

/** A black frame of 144 million pixels in less than a megabyte, and two seconds of a tone. */
async function giantPicture(program: string): Promise<Buffer> {
  const file = path.join(directory, "giant.mp4");
  const picture = ["-f", "lavfi", "-i", "color=black:size=12000x12000:rate=1:duration=1"];
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=2"];
  const codecs = ["-c:v", "png", "-pix_fmt", "gray", "-c:a", "aac"];
  await run(program, ["-y", "-v", "error", ...picture, ...sound, ...codecs, file]);
  return readFile(file);
}

describe("small media that unpack to much", () => {
  test("are transcribed up to the audio limit, while others are served", async () => {
    expect(longSilence.length).toBeLessThan(300_000);
    const bombers = [await aSender(), await aSender(), await aSender()];
    const honest = await aSender();
    const bombs = Promise.all(bombers.map((bomber) => bomber.send(longSilence)));
    const clip = bundledSpeech().find(({ file }) => file.includes("en-amiable"))!;
    const transcription = await honest.send(await readFile(clip.file));
    expect(transcription.result?.transcript.length).toBeGreaterThan(10);
    for (const bomb of await bombs)
      expect(bomb).toMatchObject({
        status: "done",
        result: { transcript: "" },
        receipt: { audioSeconds: maxAudioSeconds, cut: true },
      });
    for (const bomber of bombers) expect(await bomber.used()).toBe(0);
    const noise = await honest.send(Buffer.alloc(300_000, 7));
    expect(noise).toMatchObject({ status: "failed", error: { reason: "unreadableMedia" } });
    expect(await honest.used(), "of speech alone").toBe(1);
  });

  test.skipIf(ffmpeg === undefined)("decode in less memory than one picture (runs on Linux with ffmpeg)", async () => {
    const file = await giantPicture(ffmpeg!); // safe: skipped without
    expect(file.length).toBeLessThan(1_000_000);
    const sender = await aSender();
    expect(await sender.send(file)).toMatchObject({
      status: "done",
      receipt: { audioSeconds: expect.closeTo(2, 0) as number },
    });
    // The length differs from the first, because the same silence would be answered by what was heard before.
    await sender.send(silenceBomb(80_000));
    const peaks = await peaksOfFfmpeg();
    expect(peaks.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...peaks)).toBeLessThan(140_000_000);
  });
});
