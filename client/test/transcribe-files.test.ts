import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { aVideo } from "../../server/test/files/file-sender.ts";
import { createGatedTranscriber } from "../../server/test/harness/gated-transcriber.ts";
import { serviceOfTests } from "../../server/test/harness/start-test-service.ts";
import { directoryOfTests } from "../../server/test/harness/temporary-directory.ts";
import { runHere } from "./run-program.ts";

const gate = createGatedTranscriber();
/** Longer than a part, so that a connection may break within it. */
const renderedVideo = Buffer.alloc(1_500_000, "video ");
const service = serviceOfTests({
  transcriber: gate,
  videoRenderer: {
    description: "fixed",
    async render({ directory: folder, output }) {
      await writeFile(path.join(folder, output), renderedVideo);
      return { lacksLetters: true };
    },
  },
  rateLimits: { transcribe: 1_000, address: 100_000 },
  repeated: ["transcribe-files", "advance-batches"],
});
const directory = directoryOfTests();
afterEach(() => gate.open());

async function aFile(name: string, bytes: Uint8Array): Promise<string> {
  const file = path.join(directory, name);
  await writeFile(file, bytes);
  return file;
}

async function aCaller() {
  const { key, accountId } = await service.createCaller();
  const environment = { REELSCRIPT_URL: service.url, REELSCRIPT_API_KEY: key };
  return { key, accountId, run: (...words: readonly string[]) => runHere(environment, words) };
}

const sentence = "The same sentence for every reel.";

describe("the command transcribe with files", () => {
  test("sends them, says what they cost, and prints their texts", async () => {
    const ana = await aCaller();
    const first = await aFile("first.mp4", await aVideo(5_000_000, "A"));
    const second = await aFile("second.mp4", await aVideo(0, "B"));
    const { code, stdout, stderr } = await ana.run("transcribe", first, second);
    expect([code, stdout], stderr).toEqual([0, `${sentence}\n${sentence}\n`]);
    expect(stderr).toContain("first.mp4: uses at most 4 transcriptions.");
    const again = await ana.run("transcribe", first, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ file: first, transcript: sentence });
    const scripts = JSON.parse((await ana.run("scripts", "--json")).stdout);
    const titles = scripts.scripts.map(({ caption }: { caption: string }) => caption);
    expect(titles.toSorted()).toEqual(["first", "second"]);
  });

  test("make several one batch, which says what it costs and can be followed by its id", async () => {
    const ana = await aCaller();
    const names = ["take-1.mp4", "take-2.mp4", "take-3.mp4"];
    const files = await Promise.all(names.map(async (name, index) => aFile(name, await aVideo(0, `T${index}`))));
    const notes = await aFile("notes-too.mp4", Buffer.from("some notes".repeat(50)));
    const { code, stdout, stderr } = await ana.run("transcribe", ...files, notes, "--json");
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("of 4 files: uses at most 16 of your 10 transcriptions.");
    expect(stderr).toContain("notes-too.mp4: This file is neither a video nor a recording.");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ file, transcript }) => [file, transcript])).toEqual(files.map((file) => [file, sentence]));
    const id = /Batch (bat_\w+)/.exec(stderr)?.[1] ?? "";
    const again = await ana.run("transcribe", ...files);
    expect([again.code, again.stdout]).toEqual([0, `${sentence}\n`.repeat(3)]);
    expect(again.stderr, "nothing is left to send").not.toContain("Batch");
    service.clock.advance(2_000);
    const followed = await ana.run("batch", id);
    const results = followed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(results.map(({ status }) => status)).toEqual(["done", "done", "done", "failed"]);
    expect(results[0]).toMatchObject({ url: expect.stringMatching(/^fil_/), transcript: sentence });
    const later = await ana.run(
      "transcribe",
      await aFile("a.mp4", await aVideo(0, "U")),
      await aFile("b.mp4", await aVideo(0, "V")),
      "--async",
    );
    expect([later.code, later.stderr], later.stdout).toEqual([
      0,
      expect.stringMatching(/Follow them with: reelscript batch bat_\w+/),
    ]);
  });

  test("continue an upload that a program before them began", async () => {
    const ana = await aCaller();
    const file = await aFile("begun.mp4", await aVideo(9_000_000, "C"));
    let patches = 0;
    const fetchBefore = globalThis.fetch;
    const offsets: string[] = [];
    globalThis.fetch = async (input, init) => {
      const headers = new Headers(init?.headers);
      if (init?.method === "PATCH") {
        offsets.push(headers.get("upload-offset") ?? "");
        patches += 1;
        if (patches === 2) throw new TypeError("fetch failed");
      }
      return fetchBefore(input, init);
    };
    try {
      const { code, stdout } = await ana.run("transcribe", file, "--title", "Begun");
      expect([code, stdout]).toEqual([0, `${sentence}\n`]);
    } finally {
      globalThis.fetch = fetchBefore;
    }
    expect(offsets).toEqual(["0", "4194304", "4194304", "8388608"]);
  });

  test("say in one sentence why a file is refused", async () => {
    const ana = await aCaller();
    const { code, stderr } = await ana.run(
      "transcribe",
      await aFile("notes.mp4", Buffer.from("some notes".repeat(50))),
    );
    expect(code).toBe(1);
    expect(stderr).toContain("error: This file is neither a video nor a recording.");
    const missing = await ana.run("transcribe", await aFile("there.mp4", await aVideo(0, "D")), "gone.mp4");
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("Can't find the file gone.mp4")]);
  });
});

describe("the command make-video", () => {
  test("makes a video, waits for it and downloads it whole, also where the connection breaks", async () => {
    const ana = await aCaller();
    const sentFile = await ana.run("transcribe", await aFile("kept.mp4", await aVideo(0, "E")), "--keep-days", "3");
    expect(sentFile.code, sentFile.stderr).toBe(0);
    const { scripts } = JSON.parse((await ana.run("scripts", "--json")).stdout);
    const output = path.join(directory, "subtitled.mp4");
    const fetchBefore = globalThis.fetch;
    const ranges: string[] = [];
    globalThis.fetch = async (input, init) => {
      const response = await fetchBefore(input, init);
      const range = new Headers(init?.headers).get("range");
      if (range === null || response.body === null) return response;
      ranges.push(range);
      if (ranges.length > 1) return response;
      const first = new Uint8Array(await response.arrayBuffer());
      const broken = new ReadableStream({
        start(controller) {
          controller.enqueue(first.slice(0, 1_000));
          setTimeout(() => controller.error(new TypeError("terminated")), 100);
        },
      });
      return new Response(broken, { status: response.status, headers: response.headers });
    };
    try {
      const program = await ana.run("make-video", scripts[0].id, "--style", "oneLine", "--output", output);
      expect([program.code, program.stdout], program.stderr).toEqual([0, `${output}\n`]);
      expect(program.stderr).toContain("no font for some letters");
    } finally {
      globalThis.fetch = fetchBefore;
    }
    expect(ranges).toEqual(["bytes=0-", "bytes=1000-"]);
    expect((await readFile(output)).equals(renderedVideo)).toBe(true);
    const list = JSON.parse((await ana.run("videos", scripts[0].id, "--json")).stdout);
    expect(list.videos).toMatchObject([{ status: "done", style: "oneLine", bytes: renderedVideo.length }]);
  });

  test("says why there is no video", async () => {
    const ana = await aCaller();
    await ana.run("transcribe", await aFile("gone.mp4", await aVideo(0, "F")));
    const { scripts } = JSON.parse((await ana.run("scripts", "--json")).stdout);
    const { code, stderr } = await ana.run("make-video", scripts[0].id);
    expect([code, stderr]).toEqual([1, expect.stringContaining("isn't kept any more")]);
    expect((await ana.run("make-video", scripts[0].id, "--style", "comic")).code).toBe(2);
  });
});
