import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { answerConsent } from "../harness/connect-program.ts";
import { freePort } from "../harness/free-port.ts";
import { register } from "../harness/raw-program.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const suite = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
// oxlint-disable-next-line node/no-process-env -- where a Node is that the suite supports is decided outside
const { TEST_NODE_22 = "" } = process.env;
const here = (name: string): string => fileURLToPath(new URL(`conformance/${name}`, import.meta.url));

/** The program and parameters that run the suite. Node 20 lacks a function that it uses. */
const [node, ...parameters] =
  TEST_NODE_22 === "" ? [process.execPath, "--import", here("register-glob-sync.mjs")] : [TEST_NODE_22];

const service = serviceOfTests({ transcriber: null });
const output = directoryOfTests();

/** The baselines leave out scenarios that need tools, prompts or resources that a product does not have. */
test.each(["2026-07-28", "2025-11-25"])("the protocol's own suite passes for %s", async (revision) => {
  const { code, printed } = await run([
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
});

test("its scenarios for authorization servers pass", async () => {
  const port = await freePort();
  const { url } = service;
  const metadata = { redirect_uris: [`http://127.0.0.1:${port}/callback`] };
  const { client_id } = (await (await register(url, metadata)).json()) as { client_id: string };
  const person = await signIn(service);
  const options = ["--url", url, "--client-id", client_id, "--resource", `${url}/mcp`, "--port", String(port)];
  const args = [suite, "authorization", ...options];
  const { code, printed } = await run(args, async (address) => {
    await fetch(await answerConsent(person, address));
  });
  expect(code, printed.slice(-4_000)).toBe(0);
  expect(printed).toContain("Total: 3 passed, 0 failed");
});

/** `visit` is given the address that the suite wants opened in a browser. */
function run(
  args: string[],
  visit?: (address: string) => Promise<void>,
): Promise<{ code: number | null; printed: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(node!, [...parameters, ...args], { cwd: output });
    let printed = "";
    let visited = visit === undefined;
    const add = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, address] = /^(http\S+\/oauth\/authorize\S+)\s[^]*Callback server started/m.exec(printed) ?? [];
      if (visited || address === undefined) return;
      visited = true;
      visit?.(address).catch(reject);
    };
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, printed }));
  });
}
