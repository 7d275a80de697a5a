import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listedTools } from "../../src/mcp/tools.ts";
import { answerConsent } from "../harness/connect-program.ts";
import { lacking } from "../harness/install.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

// oxlint-disable-next-line node/no-process-env -- whether the network may be used is decided outside
const { TEST_NPM, TEST_PYPI, PATH } = process.env;
/** The client of fastmcp and all that it imports: finding out what that is would take pip twice as long. */
const pinnedFastmcp = fileURLToPath(new URL("fastmcp.txt", import.meta.url));
const pinnedMcpRemote = "mcp-remote@0.15.1";

const fastmcpHost = `
import asyncio, sys
from fastmcp import Client

async def main():
    async with Client(sys.argv[1], auth="oauth") as client:
        print("LISTED", len(await client.list_tools()), flush=True)
        for name in ("get_plans", "get_my_usage", "get_my_usage"):
            print("CALLED", name, (await client.call_tool(name, {})).is_error, flush=True)

asyncio.run(main())
`;

const testDirectory = directoryOfTests(tmpdir());
const service = serviceOfTests({ transcriber: null });
let person: SignedIn;
beforeAll(async () => void (person = await signIn(service)));

const started: ChildProcessWithoutNullStreams[] = [];
afterAll(() => {
  for (const child of started) child.kill();
});

/** A person takes longer to read than a host to listen: some print the address before they do. */
async function goBack(address: URL): Promise<void> {
  await expect.poll(async () => (await fetch(address)).status).toBe(200);
}

/** Starts a host; wherever it sends the browser, the person allows it and the browser goes back. */
function startHost(program: string, parameters: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(program, parameters, { cwd: testDirectory, env: { PATH, HOME: testDirectory, ...env } });
  started.push(child);
  const printed = { text: "", asked: 0 };
  const read = (part: Buffer): void => {
    printed.text += part.toString();
    const addresses = [...new Set(printed.text.match(/http:\S+\/oauth\/authorize\?\S+(?=\s)/g))];
    for (const address of addresses.slice(printed.asked)) {
      printed.asked += 1;
      void answerConsent(person, address).then(goBack);
    }
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  return { child, printed };
}

describe("hosts that nobody here wrote sign people in at the plain address", () => {
  test("fastmcp", async ({ skip }) => {
    if (TEST_PYPI !== "1") skip("TEST_PYPI=1 lets this test install a host from the Python package index");
    // Most Pythons have pip, and a virtual environment takes seconds to make.
    const hasPip = (await lacking(testDirectory, [["python3", "-m", "pip", "--version"]])) === undefined;
    const python = hasPip ? "python3" : path.join(testDirectory, "venv/bin/python");
    const packages = path.join(testDirectory, "packages");
    const manner = ["-q", "--disable-pip-version-check", "--no-compile", "--no-deps", "--target", packages];
    const missing = await lacking(testDirectory, [
      ...(hasPip ? [] : [["python3", "-m", "venv", "venv"] as const]),
      [python, "-m", "pip", "install", ...manner, "-r", pinnedFastmcp],
    ]);
    if (missing !== undefined) skip(missing);
    const env = { BROWSER: "/bin/echo %s", PYTHONPATH: packages };
    const { child, printed } = startHost(python, ["-c", fastmcpHost, `${service.url}/mcp`], env);
    await new Promise((resolve) => child.once("close", resolve));
    expect(printed.text).toContain(`LISTED ${listedTools().length}\n`);
    expect(printed.text.match(/CALLED \w+ False/g), printed.text).toHaveLength(3);
    expect(printed.asked).toBe(1);
  });

  test("mcp-remote", async ({ skip }) => {
    if (TEST_NPM !== "1") skip("TEST_NPM=1 lets this test install a host from npm");
    const missing = await lacking(testDirectory, [
      ["npm", "install", "--no-audit", "--no-fund", "--prefix", testDirectory, pinnedMcpRemote],
    ]);
    if (missing !== undefined) skip(missing);
    const proxy = path.join(testDirectory, "node_modules/mcp-remote/dist/proxy.js");
    const { child, printed } = startHost(process.execPath, [proxy, `${service.url}/mcp`], {
      MCP_REMOTE_CONFIG_DIR: testDirectory,
    });
    const send = (message: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    };
    const clientInfo = { name: "test", version: "1.0.0" };
    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    await expect.poll(() => printed.text).toContain('"id":1');
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/list", params: {} });
    await expect.poll(() => printed.text).toContain('"id":2');
    send({ id: 3, method: "tools/call", params: { name: "get_my_usage", arguments: {} } });
    await expect.poll(() => printed.text).toContain('"id":3');
    expect(printed.text, printed.text).toContain("transcriptions");
    expect(printed.asked).toBe(1);
  });
});
