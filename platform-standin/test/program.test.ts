import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readReelTable } from "../src/reels/reel-table.ts";
import { listReels } from "../src/list-reels.ts";
import { withStandin } from "./with-standin.ts";

const standin = withStandin();
const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

async function run(
  args: string[],
  untilOutput?: RegExp,
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.on("data", (part: Buffer) => {
    output += part.toString();
    if (untilOutput?.test(output)) child.kill("SIGINT");
  });
  child.stderr.on("data", (part: Buffer) => (errors += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output, errors };
}

test("the list has one JSON line per reel, with just these fields", () => {
  const lines = listReels("http://127.0.0.1:8788").trimEnd().split("\n");
  expect(lines).toHaveLength(readReelTable().length);
  for (const line of lines) {
    const row = JSON.parse(line) as Record<string, unknown>;
    expect(Object.keys(row)).toEqual(["url", "kind", "language", "text", "seconds", "origin", "license"]);
    expect(row.url).toMatch(/^http:\/\/127\.0\.0\.1:8788\/reel\/[A-Za-z0-9_-]+\/$/);
    expect(typeof row.seconds).toBe("number");
  }
});

test("the program lists for the port it is given, and ends", async () => {
  const { code, output } = await run(["--list", "--port", "9000"]);
  expect(code).toBe(0);
  expect(output).toBe(listReels("http://127.0.0.1:9000"));
});

test("the program says where it is, and ends on Ctrl-C", async () => {
  const { code, output } = await run(["--port", "0"], /Ctrl-C/);
  expect(code).toBe(0);
  expect(output).toMatch(/pages\s+http:\/\/127\.0\.0\.1:\d+/);
});

test("a wrong port, a taken port and an unknown flag are told plainly", async () => {
  expect(await run(["--port", "nine"])).toMatchObject({
    code: 1,
    errors: expect.stringContaining("--port takes a port"),
  });
  expect(await run(["--nonsense"])).toMatchObject({ code: 1, errors: expect.stringContaining("--nonsense") });
  const taken = new URL(standin().origin).port;
  expect(await run(["--port", taken])).toMatchObject({ code: 1, errors: expect.stringContaining("EADDRINUSE") });
});
