import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMediaDecoder, type MediaDecoder, type MediaDecoderOptions } from "@reelscript/whisper";
import { childProcesses, decodeAll, fixture, isRunning, neverAborted, temporaryFile } from "./decoding.ts";
import { matroska } from "./matroska.ts";
import { silenceBomb } from "./silence-bomb.ts";

const isLinux = process.platform === "linux";

async function decoderOf(options: MediaDecoderOptions): Promise<MediaDecoder> {
  const decoder = await createMediaDecoder(options);
  onTestFinished(() => decoder.close());
  return decoder;
}

/** Passes for ffmpeg until it gets a file, then behaves as given. */
function pretender(behavior: string): Promise<string> {
  const script = `#!/bin/sh
case "$*" in
  *-version*) echo "ffmpeg version 9.9" ;;
  *muxer=matroska*) echo "Muxer matroska [Matroska]:" ;;
  *) ${behavior} ;;
esac
`;
  return temporaryFile(Buffer.from(script), "ffmpeg");
}

/** One that prints a second of sound over and over. */
async function endless(): Promise<string> {
  const second = matroska([{ channels: 1 }], [{ track: 2, milliseconds: 0, bytes: Buffer.alloc(64_000) }]);
  const file = await temporaryFile(second, "second.mkv");
  return pretender(`echo "[info] Stream mapping:" >&2; while cat ${file}; do :; done`);
}

describe.skipIf(!isLinux)("the embedded decoder's children (Linux only: they are looked up in /proc)", () => {
  test("the waiting child takes the file, ends with it, and another one waits a little later", async () => {
    const others = childProcesses();
    const decoder = await decoderOf({ ffmpegPath: "embedded" });
    const waiting = [...childProcesses()].filter((id) => !others.has(id));
    expect(waiting).toHaveLength(1);
    for await (const chunk of decoder.decode(fixture("chirp.mp4"), { maxSeconds: 9, signal: neverAborted }).samples) {
      expect(chunk.length).toBeGreaterThan(0);
      expect([...childProcesses()].filter((id) => !others.has(id) && !waiting.includes(id))).toEqual([]);
    }
    expect(waiting.filter(isRunning)).toEqual([]);
    let next: number[] = [];
    await expect.poll(() => (next = [...childProcesses()].filter((id) => !others.has(id)))).toHaveLength(1);
    expect(next).not.toEqual(waiting);
    await decoder.close();
    expect(next.filter(isRunning)).toEqual([]);
  });

  test("a waiting child that was killed is not missed", async () => {
    const others = childProcesses();
    const decoder = await decoderOf({ ffmpegPath: "embedded" });
    const [waiting = 0] = [...childProcesses()].filter((id) => !others.has(id));
    process.kill(waiting, "SIGKILL");
    await expect.poll(() => isRunning(waiting)).toBe(false);
    expect((await decodeAll(decoder, fixture("chirp.ogg"))).samples.length).toBe(48_000);
  });

  test("files at the same time have a child each", async () => {
    const decoder = await decoderOf({ ffmpegPath: "embedded" });
    const names = ["chirp.mp3", "chirp.ogg", "chirp.flac"];
    const all = await Promise.all(names.map((name) => decodeAll(decoder, fixture(name))));
    for (const { samples } of all) expect(samples.length / 16_000).toBeCloseTo(3, 1);
  });

  test("a child has no environment and no permissions", async () => {
    const others = childProcesses();
    await decoderOf({ ffmpegPath: "embedded" });
    const [waiting = 0] = [...childProcesses()].filter((id) => !others.has(id));
    await expect.poll(() => readFileSync(`/proc/${waiting}/cmdline`, "utf8")).toMatch(/--(experimental-)?permission\0/);
    const command = readFileSync(`/proc/${waiting}/cmdline`, "utf8").split("\0");
    expect(command.filter((part) => part.startsWith("--allow-"))).toSatisfy((allowed: readonly string[]) =>
      allowed.every((part) => /^--allow-fs-read=\/.+\.(js|wasm)$/.test(part)),
    );
    expect(readFileSync(`/proc/${waiting}/environ`, "utf8")).toBe("");
  });

  test("children do not outlive a parent that is killed", async () => {
    const built = new URL("../../dist/index.js", import.meta.url).href;
    const program = `
      import { createMediaDecoder } from ${JSON.stringify(built)};
      import { readFileSync } from "node:fs";
      await createMediaDecoder({ ffmpegPath: "embedded" });
      setInterval(() => {}, 1000);
      console.log(readFileSync("/proc/self/task/" + process.pid + "/children", "utf8"));`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = (await once(parent.stdout, "data")) as [Buffer];
    const child = Number(printed.toString());
    expect(isRunning(child)).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  test("too much memory is `memory`", async () => {
    const decoder = await decoderOf({ ffmpegPath: "embedded", memoryLimitBytes: 20 * 1024 ** 2 });
    await expect(decodeAll(decoder, fixture("chirp.mp4"))).rejects.toMatchObject({ code: "memory" });
  });
});

describe("limits that the parent keeps", () => {
  test("too many bytes are `tooLarge`, and nothing is started", async () => {
    const decoder = await decoderOf({ ffmpegPath: "embedded", maxBytes: 10_000 });
    await expect(decodeAll(decoder, fixture("chirp.mp4"))).rejects.toMatchObject({ code: "tooLarge" });
  });

  test("a child that hangs is `timeout`, with both decoders", async () => {
    const hanging = await decoderOf({ ffmpegPath: await pretender("exec sleep 60"), secondsLimit: 0.2 });
    await expect(decodeAll(hanging, fixture("chirp.mp4"))).rejects.toMatchObject({ code: "timeout" });
    const slow = await decoderOf({ ffmpegPath: "embedded", secondsLimit: 0.001 });
    await expect(decodeAll(slow, fixture("chirp.mp4"))).rejects.toMatchObject({ code: "timeout" });
  });

  test("a child that is killed from outside or crashes is `crashed`", async () => {
    const decoder = await decoderOf({ ffmpegPath: await pretender("kill -SEGV $$") });
    await expect(decodeAll(decoder, fixture("chirp.mp4"))).rejects.toMatchObject({ code: "crashed" });
  });

  test.skipIf(!isLinux)("a child that swallows memory is `memory` (Linux only: /proc)", async () => {
    const program = await pretender("exec tail /dev/zero");
    const decoder = await decoderOf({ ffmpegPath: program, memoryLimitBytes: 100 * 1024 ** 2 });
    await expect(decodeAll(decoder, fixture("chirp.mp4"))).rejects.toMatchObject({ code: "memory" });
  });

  test("a child that prints what no ffmpeg does is `crashed`", async () => {
    const decoder = await decoderOf({ ffmpegPath: await pretender("exec cat /dev/zero") });
    await expect(decodeAll(decoder, fixture("chirp.mp4"))).rejects.toMatchObject({ code: "crashed" });
  });

  test("a child that prints without end is cut at the longest length", async () => {
    const decoder = await decoderOf({ ffmpegPath: await endless() });
    const { samples, truncated } = await decodeAll(decoder, fixture("chirp.mp4"), 30);
    expect([samples.length, truncated]).toEqual([480_000, true]);
  });

  test.each([
    ["embedded", async () => ({ ffmpegPath: "embedded" })],
    ["given", async () => ({ ffmpegPath: await endless() })],
  ])("closing ends what the %s decoder is at", async (_which, options) => {
    const decoder = await decoderOf(await options());
    const path = await temporaryFile(silenceBomb(86_400));
    const readUntilClosed = async (): Promise<void> => {
      const { samples } = decoder.decode(path, { maxSeconds: 80_000, signal: neverAborted });
      for await (const chunk of samples) if (chunk.length > 0) await decoder.close();
    };
    await expect(readUntilClosed()).rejects.toMatchObject({ code: "aborted" });
    await expect(decodeAll(decoder, path)).rejects.toMatchObject({ code: "aborted" });
  });

  test("a program that is no ffmpeg is refused at once", async () => {
    await expect(createMediaDecoder({ ffmpegPath: "/bin/echo" })).rejects.toMatchObject({ code: "unavailable" });
    await expect(createMediaDecoder({ ffmpegPath: "/no/such/program" })).rejects.toMatchObject({ code: "unavailable" });
  });

  test("where no ffmpeg is found the embedded one is taken", async () => {
    const decoder = await decoderOf({ searchPath: "/no/such/folder" });
    expect(decoder.description).toBe("embedded ffmpeg 5.1.4");
  });
});
