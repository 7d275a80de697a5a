import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { buildClient, clientFolder } from "./build-client.ts";
import { toldBatch, toldEstimate, toldScripts, usage, useToldService } from "./told-service.ts";

const page = readFileSync(path.join(clientFolder, "../docs/schedules.md"), "utf8");
const [settings = "", script = "", lines = ""] = Array.from(
  page.matchAll(/^```sh\n([^]*?)^```/gm),
  ([, block = ""]) => block,
);
const [, crontab = ""] = /^```text\n([^]*?)^```/m.exec(page) ?? [];

const service = useToldService();
let home: string;
beforeAll(buildClient);
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "reelscript-test-"));
  mkdirSync(path.join(home, "bin"));
  mkdirSync(path.join(home, "reels"));
  const filled = settings.replace("https://reelscript.example", service.url).replace("svc_sk_…", "svc_sk_example");
  writeFileSync(path.join(home, ".reelscript"), filled);
  writeFileSync(path.join(home, "reels/list.txt"), "https://a.example/reel/1\n");
  program(
    "reelscript",
    `#!/bin/sh\nexec "${process.execPath}" "${path.join(clientFolder, "bin/reelscript.js")}" "$@"\n`,
  );
  program("transcribe-list", script);
});
afterEach(() => rmSync(home, { recursive: true }));

function program(name: string, text: string): void {
  writeFileSync(path.join(home, "bin", name), text);
  chmodSync(path.join(home, "bin", name), 0o700);
}

const run = (command: string) =>
  promisify(execFile)("sh", ["-c", command], { env: { HOME: home, PATH: `${home}/bin:${process.env["PATH"] ?? ""}` } });

/** The answers of a service that transcribed one reel before. */
function oneBatch() {
  const reel = [{ url: "https://a.example/reel/1", status: "done", scriptId: "scr_1", cached: true }];
  const batch = toldBatch("bat_1", reel);
  const sentBatch = { ...batch, estimate: toldEstimate(1, { cached: 1 }) };
  return [{ body: sentBatch }, { status: 202, body: sentBatch }, { body: batch }, { body: toldScripts("scr_1") }];
}

it("the line for cron runs the script, which writes the day's results", async () => {
  const [, command = ""] = /^(?:\d+|\*)(?: (?:\d+|\*)){4} (.+)$/m.exec(crontab) ?? [];
  expect(command).not.toBe("");
  service.tell(...oneBatch());
  await run(command);
  const files = readdirSync(path.join(home, "reels")).filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name));
  expect(files).toHaveLength(1);
  expect(JSON.parse(readFileSync(path.join(home, "reels", files[0]!), "utf8"))).toMatchObject({
    status: "done",
    transcript: "Words of scr_1.",
  });
  expect(readFileSync(path.join(home, "reels/log.txt"), "utf8")).toContain("1 of 1 reel transcribed");
  expect(service.seen[0]!.headers.authorization).toBe("Bearer svc_sk_example");
});

it("the further lines send the reels of an account and of a search, and print the usage", async () => {
  const oneScript = { body: toldScripts("scr_1") };
  service.tell(oneScript, ...oneBatch(), oneScript, ...oneBatch(), { body: usage });
  const { stdout } = await run(`. "$HOME/.reelscript"\n${lines}`);
  expect(JSON.parse(stdout)).toMatchObject(usage);
  expect(readdirSync(path.join(home, "reels")).toSorted()).toEqual(["cold-brew.jsonl", "list.txt", "office.jsonl"]);
});
