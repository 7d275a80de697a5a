import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createN8nContext, type N8nCredential, type N8nNode } from "../harness/n8n-context.ts";
import { lacking, runIn } from "../harness/install.ts";
import { startTestService } from "../harness/start-test-service.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

const source = fileURLToPath(new URL("../../../integrations/n8n", import.meta.url));
const tenMinutes = 600_000;

test(
  "n8n's own tools accept the package, and its build runs",
  async ({ skip, onTestFinished }) => {
    if (process.env.TEST_N8N !== "1") skip("TEST_N8N=1 lets this test install n8n's tools (700 MB) from the registry");
    const folder = directoryOfTest(tmpdir());
    const isOurs = (place: string): boolean => !/[/](node_modules|dist)([/]|$)/.test(place.slice(source.length));
    await cp(source, folder, { recursive: true, filter: isOurs });
    // With "test" n8n's linter sees examples of its own.
    const env = { ...process.env, NODE_ENV: "development" };
    const run = (program: string, ...args: string[]) => runIn(folder, program, args, { env });
    const missing = await lacking(folder, [["npm", "ci", "--no-audit", "--no-fund"]], env);
    if (missing !== undefined) skip(missing);
    // It reports what it finds by its exit status. Warnings count as well.
    expect(await run("npm", "run", "lint")).not.toMatch(/warning|problem/);
    await run("npm", "run", "build");
    const [{ files }] = JSON.parse(await run("npm", "pack", "--dry-run", "--json")) as [{ files: { path: string }[] }];
    const packed = files.map((file) => file.path);
    const { n8n } = createRequire(import.meta.url)(path.join(folder, "package.json"));
    expect(packed).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials, "README.md"]));
    expect(packed).toContain("dist/icons/reelscript.dark.svg");
    expect(packed).toContain("dist/nodes/Reelscript/Reelscript.node.json");

    const read = <Read>(file: string): Read => {
      const [Class] = Object.values(
        createRequire(import.meta.url)(path.join(folder, file)) as Record<string, new () => Read>,
      );
      return new Class!();
    };
    const node = read<N8nNode>("dist/nodes/Reelscript/Reelscript.node.js");
    const credential = read<N8nCredential>("dist/credentials/ReelscriptApi.credentials.js");
    const service = await startTestService({ transcriber: null });
    onTestFinished(() => service.close());
    const usage = (apiKey: string) =>
      node.execute.call(
        createN8nContext({
          node,
          credential,
          entered: { baseUrl: service.url, apiKey },
          items: [{ resource: "account", operation: "getUsage" }],
        }),
      );
    const { key } = await service.createCaller();
    expect(await usage(key)).toMatchObject([[{ json: { plan: "free" } }]]);
    const refusal = await usage("svc_sk_wrong").catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      name: "NodeApiError",
      message: expect.stringMatching(/^The Authorization header doesn't have a valid API key./),
      description: expect.stringMatching(/^Code: unauthorized, request: req_/),
      httpCode: "401",
    });
  },
  tenMinutes,
);
