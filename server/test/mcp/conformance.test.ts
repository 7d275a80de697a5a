import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

const suite = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const here = (name: string): string => fileURLToPath(new URL(`conformance/${name}`, import.meta.url));

let service: TestService;
let output: string;
beforeAll(async () => {
  [service, output] = await Promise.all([
    startTestService({ transcriber: null }),
    mkdtemp(path.join(tmpdir(), "reelscript-conformance-")),
  ]);
});
afterAll(() => Promise.all([service.close(), rm(output, { recursive: true, force: true })]));

/** What the baselines leave out needs tools, prompts or resources that a product does not have. */
test.each(["2026-07-28", "2025-11-25"])(
  "the protocol's own suite passes for %s",
  { timeout: 120_000 },
  async (revision) => {
    const { code, printed } = await run([
      "--import",
      here("register-glob-sync.mjs"),
      suite,
      "server",
      "--url",
      `${service.url}/mcp`,
      "--requirements",
      revision,
      "--expected-failures",
      here(`baseline-${revision}.yml`),
      "-o",
      path.join(output, revision),
    ]);
    expect(code, printed.slice(-4_000)).toBe(0);
  },
);

function run(args: string[]): Promise<{ code: number | null; printed: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: output });
    let printed = "";
    const add = (chunk: Buffer): void => void (printed += chunk.toString());
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, printed }));
  });
}
