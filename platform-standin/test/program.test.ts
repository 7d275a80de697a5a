import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
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

test("the program lists reels as JSON lines for its port, then ends", async () => {
  const { code, output } = await run(["--list", "--port", "9000"]);
  expect(code).toBe(0);
  const rows = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows.map(({ url }) => url)).toEqual(standin().reels.map((reel) => `http://127.0.0.1:9000/reel/${reel.code}/`));
  for (const row of rows)
    expect(Object.keys(row)).toEqual(["url", "kind", "language", "text", "seconds", "origin", "license"]);
});

test("the program says where it is, and ends on Ctrl-C", async () => {
  const { code, output } = await run(["--port", "0"], /Ctrl-C/);
  expect(code).toBe(0);
  expect(output).toMatch(/pages\s+http:\/\/127\.0\.0\.1:\d+/);
});

test("wrong and taken ports and unknown flags are reported plainly", async () => {
  expect(await run(["--port", "nine"])).toMatchObject({
    code: 1,
    errors: expect.stringContaining("--port takes a port"),
  });
  expect(await run(["--nonsense"])).toMatchObject({ code: 1, errors: expect.stringContaining("--nonsense") });
  const taken = new URL(standin().origin).port;
  expect(await run(["--port", taken])).toMatchObject({ code: 1, errors: expect.stringContaining("EADDRINUSE") });
});
