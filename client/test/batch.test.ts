import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createProgram } from "./run-program.ts";
import { refusal, toldBatch, toldEstimate, toldScripts, useToldService } from "./told-service.ts";

const urls = ["https://a.example/reel/1", "https://b.example/reel/2", "https://c.example/reel/3"] as const;
const [first, second, third] = urls;

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
const requests = () => service.seen.map(({ method, path: address }) => `${method} ${address?.slice(7)}`);

const links = [
  { url: first, status: "done", scriptId: "scr_1", cached: true },
  { url: second, status: "failed", error: { code: "notFound", message: "It is private." } },
  { url: third, status: "done", scriptId: "scr_3" },
];
const waiting = urls.map((url) => ({ url, status: "waiting" }));
const batch = (states: typeof links | typeof waiting, more: object = {}) => toldBatch("bat_1", states, more);
const dry = (more: object = {}) => ({ body: { ...batch(waiting), estimate: toldEstimate(3, more) } });
const acceptedBatch = { status: 202, body: { ...batch(waiting), estimate: toldEstimate(3) } };
const scripts = { body: toldScripts("scr_1", "scr_3") };
const lines = [
  { url: first, status: "done", transcript: "Words of scr_1.", language: "en", cached: true, scriptId: "scr_1" },
  { url: second, status: "failed", error: { code: "notFound", message: "It is private." } },
  { url: third, status: "done", transcript: "Words of scr_3.", language: "en", cached: false, scriptId: "scr_3" },
];

describe("reelscript batch", () => {
  it.each([
    ["quotation marks", [`"${first}"`, `“${second}”`, `'${third}'`].join("\n")],
    ["a table", `"${first}","1,200"\n${second},7\n${third}\t9\n`],
    ["a sentence and brackets", `See ${first}, <${second}> and [this](${third}).`],
  ])("reads links in %s", async (_, text) => {
    writeFileSync(list, text);
    service.tell(dry());
    expect((await program.run(["batch", list, "--dry-run"])).code).toBe(0);
    expect(JSON.parse(service.seen[0]!.body)).toMatchObject({ urls });
  });

  it.each([
    ["@ana.coffee", "account=ana.coffee"],
    ["search:cold brew", "query=cold+brew"],
  ])("sends the reels of %s in the library", async (selection, query) => {
    const twoScripts = { ...toldScripts("scr_1", "scr_3"), total: 2 };
    service.tell({ body: twoScripts }, dry());
    expect((await program.run(["batch", selection, "--dry-run"])).code).toBe(0);
    expect(requests()[0]).toBe(`GET /scripts?limit=50&${query}`);
    expect(JSON.parse(service.seen[1]!.body)).toMatchObject({ urls: twoScripts.scripts.map(({ reelUrl }) => reelUrl) });
    service.tell({ body: { scripts: [], total: 0 } });
    expect(await program.run(["batch", selection])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no scripts"),
    });
  });

  it("shows the cost, sends one batch, and writes a line per reel", async () => {
    service.tell(dry({ cached: 1, fresh: 2, notReels: 1 }), acceptedBatch, { body: batch(links) }, scripts);
    const { stdout, stderr, code } = await program.run(["batch", list, "--output", output]);
    expect([stdout, code]).toEqual(["", 1]);
    expect(stderr).toBe(
      [
        "3 links: 3 reels, 1 isn't a reel, 1 already transcribed (free). Uses at most 2 of your 250 transcriptions.",
        `${second}: It is private.`,
        "2 of 3 reels transcribed, 1 failed",
        "",
      ].join("\n"),
    );
    expect(results()).toEqual(lines);
    expect(requests()).toEqual([
      "POST /transcriptions?dryRun=true",
      "POST /transcriptions",
      "GET /batches/bat_1",
      "GET /scripts?ids=scr_1%2Cscr_3",
    ]);
    expect(JSON.parse(service.seen[1]!.body)).toEqual({ urls });
  });

  it("prints the price alone with --dry-run, and sends nothing", async () => {
    service.tell(dry({ fit: 1, usage: { used: 9, limit: 10 } }));
    expect(await program.run(["batch", list, "--dry-run"])).toEqual({
      code: 0,
      stderr: "",
      stdout: "3 links: 3 reels. 1 of 3 fit your plan.\n",
    });
    service.tell(dry());
    const { stdout } = await program.run(["batch", list, "--dry-run", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ links: 3, reels: 3, fit: 3 });
    expect(requests()).toEqual(["POST /transcriptions?dryRun=true"]);
  });

  it("continues by the ids of its batches, and retries what failed", async () => {
    const limited = [{ url: first, status: "failed", error: { code: "limitReached", message: "All 10 are used." } }];
    service.tell({ body: batch(limited as never) });
    const { stderr, code } = await program.run(["batch", "bat_1", "--output", output]);
    expect([code, requests()]).toEqual([1, ["GET /batches/bat_1"]]);
    expect(stderr).toContain(
      `When your plan has room again: reelscript batch bat_1 --retry-failed --output ${output}\n`,
    );

    service.tell({ body: batch(waiting) }, { body: batch(links) }, scripts, {
      body: toldBatch("bat_2", [{ url: third, status: "canceled" }]),
    });
    writeFileSync(output, `${readFileSync(output, "utf8")}{"url":"https://b.exam`);
    const again = await program.run(["batch", "bat_1", "--output", output, "--retry-failed"]);
    expect([again.code, requests().slice(0, 2)]).toEqual([1, ["POST /batches/bat_1/retry", "GET /batches/bat_1"]]);
    expect(results(), "the earlier file is replaced").toEqual(lines);

    service.tell({ body: batch(links) }, scripts, { body: toldBatch("bat_2", [{ url: third, status: "canceled" }]) });
    const both = await program.run(["batch", "bat_1,bat_2"]);
    expect(both.stdout.trimEnd().split("\n")).toHaveLength(3);
    expect(both.stderr).toContain("2 of 4 reels transcribed, 1 failed, 1 canceled");

    service.tell({ status: 404, body: refusal("notFound", "You have no batch with this id.") });
    expect(await program.run(["batch", "bat_3"])).toMatchObject({
      code: 1,
      stderr: "error: You have no batch with this id. [notFound]\n",
    });
    service.tell();
    for (const flag of ["--dry-run", "--language-hint=en"])
      expect((await program.run(["batch", "bat_1", flag])).stderr).toContain("needs a list");
    expect((await program.run(["batch", list, "--retry-failed"])).stderr).toContain("needs the id of a batch");
    expect(service.seen).toEqual([]);
  });

  it("ends at once with --async, and says how to follow", async () => {
    service.tell(dry(), acceptedBatch);
    const { stdout, stderr, code } = await program.run(["batch", list, "--async"]);
    expect([stdout, code]).toEqual(["bat_1\n", 0]);
    expect(stderr).toContain("Follow it with: reelscript batch bat_1\n");
  });

  it("says that the service continues when following ends", async () => {
    service.tell(dry(), acceptedBatch, { status: 403, body: refusal("unauthorized", "The key was revoked.") });
    const { stderr, code } = await program.run(["batch", list, "--output", output]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Stopped: The key was revoked. The service continues. Follow it with: reelscript batch bat_1 --output ${output}\n`,
    );
  });

  it("reads PowerShell's output, and refuses non-text before the first call", async () => {
    const written = `${first}\r\n${second}\r\n`;
    const little = Buffer.from(`\uFEFF${written}`, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(`\uFEFF${written}`)]) {
      writeFileSync(list, bytes);
      service.tell(dry());
      expect((await program.run(["batch", list, "--dry-run"])).code).toBe(0);
      expect(JSON.parse(service.seen[0]!.body).urls).toEqual([first, second]);
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
    service.tell(dry(), later, acceptedBatch, { body: batch(links) }, scripts);
    const { stdout, stderr, code } = await program.run(["batch", list]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(lines);
    expect(code).toBe(1);
    expect(stderr).toContain("The service accepts no more requests with this key right now. Continuing in 1 s.");
  });

  it("refuses a wrong output, an empty or missing list, a missing folder", async () => {
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
    expect((await program.run(["batch"])).stderr).toContain("<list> is missing");
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
    const { stdout } = await program.run(["--help"]);
    for (const name of ["batch <list>", "batches", "retry-batch <id>", "delete-batch <id>"])
      expect(stdout).toMatch(new RegExp(`^ {2}${name}  `, "m"));
    expect(stdout).not.toMatch(/batche |create-transcription/);
  });

  it.runIf(process.platform !== "win32")("says on Ctrl-C how to follow what continues", async () => {
    const { child, finished } = program.start(["batch", list, "--output", output]);
    const running = [links[0]!, ...waiting.slice(1)] as typeof links;
    service.tell(dry(), acceptedBatch, { body: batch(running) }, { body: toldScripts("scr_1") }, () =>
      child.kill("SIGINT"),
    );
    expect(await finished).toMatchObject({
      code: 130,
      stderr: expect.stringContaining(
        `Interrupted. The service continues. Follow it with: reelscript batch bat_1 --output ${output}`,
      ),
    });
    expect(results()).toEqual(lines.slice(0, 1));
  });
});
