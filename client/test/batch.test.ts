import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createProgram } from "./run-program.ts";
import { refusal, useToldService, transcribed } from "./told-service.ts";

const [first, second, third] = [
  "https://a.example/reel/1",
  "https://b.example/reel/2",
  "https://c.example/reel/3",
] as const;

const service = useToldService();
let program: ReturnType<typeof createProgram>;
let folder: string;
let list: string;
let output: string;
beforeAll(() => void (program = createProgram(service.url)));
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "reelscript-test-"));
  list = path.join(folder, "reels.txt");
  output = path.join(folder, "results.jsonl");
  writeFileSync(list, `# to transcribe\n${first}\r\n\n  ${second}\n${first}\n${third}\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const results = () =>
  readFileSync(output, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const asked = () => service.seen.map(({ body }) => JSON.parse(body).url);

describe("reelscript batch", () => {
  it("writes one line for each reel, and the next run asks for nothing again", async () => {
    service.tell(
      { body: transcribed },
      { status: 404, body: refusal("notFound", "It is private.") },
      { body: transcribed },
    );
    const { stdout, stderr, code } = await program.run(["batch", list, "--output", output]);
    expect([stdout, code]).toEqual(["", 1]);
    expect(stderr).toBe(
      `1 of 3 reels transcribed\n${second}: It is private.\n1 of 3 reels transcribed, 1 failed\n2 of 3 reels transcribed, 1 failed\n`,
    );
    expect(results()).toEqual([
      { url: first, status: "done", ...transcribed },
      { url: second, status: "failed", error: { code: "notFound", message: "It is private." } },
      { url: third, status: "done", ...transcribed },
    ]);

    service.tell();
    const again = await program.run(["batch", list, "--output", output]);
    expect([again.code, service.seen]).toEqual([1, []]);
    expect(again.stderr).toContain("3 of 3 reels already in");

    service.tell({ body: transcribed });
    const retried = await program.run(["batch", list, "--output", output, "--retry-failed"]);
    expect([retried.code, asked()]).toEqual([0, [second]]);
    expect(results().at(-1)).toMatchObject({ url: second, status: "done" });
  });

  it("stops when the quota is used up, says so, and continues later, also after a line that was cut off", async () => {
    service.tell(
      { body: transcribed },
      { status: 403, body: refusal("limitReached", "You've used all 10 transcriptions.") },
    );
    const { stderr, code } = await program.run(["batch", list, "--output", output]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "Stopped with 2 reels left: You've used all 10 transcriptions.\nRun the same command again to continue.\n",
    );

    writeFileSync(output, `${readFileSync(output, "utf8")}{"url":"https://b.exam`);
    service.tell({ body: transcribed }, { body: transcribed });
    const next = await program.run(["batch", list, "--output", output]);
    expect([next.code, asked()]).toEqual([0, [second, third]]);
    const lines = readFileSync(output, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ url: third, status: "done" });
  });

  it("reads what PowerShell writes, and refuses what is no text before the first call", async () => {
    const written = `${first}\r\n${second}\r\n`;
    const little = Buffer.from(`\uFEFF${written}`, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(`\uFEFF${written}`)]) {
      writeFileSync(list, bytes);
      service.tell({ body: transcribed }, { body: transcribed });
      expect((await program.run(["batch", list])).code).toBe(0);
      expect(asked()).toEqual([first, second]);
    }
    service.tell();
    for (const bytes of [Buffer.from(written, "utf16le"), Buffer.from([0x68, 0xff, 0xfe, 0x0a]), Buffer.alloc(9)]) {
      writeFileSync(list, bytes);
      expect(await program.run(["batch", list])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("is not text: save it as UTF-8"),
      });
    }
    expect(service.seen).toEqual([]);
  });

  it("waits as told, and prints results where no output is named", async () => {
    const later = { status: 429, headers: { "retry-after": "1" }, body: refusal("rateLimited", "Too many.") };
    writeFileSync(list, first);
    service.tell(later, { body: transcribed });
    const { stdout, stderr, code } = await program.run(["batch", list]);
    expect([JSON.parse(stdout), code]).toEqual([{ url: first, status: "done", ...transcribed }, 0]);
    expect(stderr).toContain("You've reached the limit of requests per hour. Continuing in 1 s.");
  });

  it("refuses an output that is something else, a list that is empty or missing, and a folder that is missing", async () => {
    writeFileSync(output, "# My notes\n");
    service.tell();
    const other = await program.run(["batch", list, "--output", output]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("isn't the output of a batch")]);
    expect(readFileSync(output, "utf8")).toBe("# My notes\n");
    writeFileSync(list, "# nothing\n");
    expect(await program.run(["batch", list])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("has no addresses"),
    });
    expect((await program.run(["batch", path.join(folder, "none.txt")])).code).toBe(2);
    writeFileSync(list, first);
    expect((await program.run(["batch", list, "--output", path.join(folder, "none", "out")])).code).toBe(2);
    expect((await program.run(["batch"])).stderr).toContain("<file> is missing");
    expect(service.seen).toEqual([]);
  });

  it("explains itself", async () => {
    for (const args of [
      ["batch", "--help"],
      ["help", "batch"],
    ]) {
      const { stdout, code } = await program.run(args);
      expect([code, stdout]).toEqual([0, expect.stringContaining("--output <text>")]);
    }
    expect((await program.run(["--help"])).stdout).toContain("batch <file>");
  });

  it.runIf(process.platform !== "win32")("says on Ctrl-C what becomes of the rest", async () => {
    const { child, finished } = program.start(["batch", list, "--output", output]);
    service.tell({ body: transcribed }, () => child.kill("SIGINT"));
    expect(await finished).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(
        /Interrupted\. Reels already sent are still being transcribed .* Run the same command again/,
      ),
    });
    expect(results()).toMatchObject([{ url: first, status: "done" }]);
  });
});
