import { execFile, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { chromiumProgram, unlessSkipped } from "../../../web/test/browser/chromium-program.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

let service: TestService;
let key: string;
let url: string;
let folder: string;
let project: string;
let installed: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "reelscript-test-"));
  const run = spawnSync(process.execPath, [path.join(root, "scripts/pack-client.mjs"), folder], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  project = path.join(folder, "project");
  mkdirSync(project);
  writeFileSync(path.join(project, "package.json"), "{}\n");
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const flags = ["--offline", "--no-audit", "--no-fund", "--cache", path.join(folder, "cache")];
  const install = spawnSync("npm", ["install", ...flags, path.join(folder, tarball!)], {
    cwd: project,
    encoding: "utf8",
  });
  if (install.status !== 0) throw new Error(install.stderr);
  installed = path.join(project, "node_modules/@reelscript/client");
  const gate = createGatedTranscriber();
  gate.open();
  service = await startTestService({ transcriber: gate });
  ({ key } = await service.createCaller());
  url = service.standin.urlOf(service.standin.addReel({ bytes: Buffer.from("not looked at") }).code);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** What every kind of program does with the package; the last line is what it found. */
const use = `
  const client = createClient({ baseUrl, apiKey: key });
  const states = [];
  const { transcript } = await client.transcribeAndFollow({ url }, { onProgress: ({ status }) => states.push(status) });
  const outcomes = [];
  for await (const { status } of client.transcribeReels([url, "espresso"])) outcomes.push(status);
  const scripts = [];
  for await (const { reelUrl } of client.allScripts()) scripts.push(reelUrl);
  const refused = await createClient({ baseUrl, apiKey: "svc_sk_wrong" }).getUsage().catch((error) => error);
  const found = {
    words: transcript.length > 0,
    outcomes,
    scripts: scripts.length,
    refused: [refused.name, refused.code, refused instanceof RefusedError, refused instanceof Error],
  };`;
const found = {
  words: true,
  outcomes: ["done", "failed"],
  scripts: 1,
  refused: ["RefusedError", "unauthorized", true, true],
};
const inputs = () => `const [baseUrl, key, url] = ${JSON.stringify([service.url, key, url])};`;

async function runNode(name: string, code: string): Promise<unknown> {
  writeFileSync(path.join(project, name), code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], { cwd: project });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("the package has code, types, a readme and a license, and asks for nothing else", () => {
  expect(readdirSync(installed).toSorted()).toEqual(
    ["LICENSE", "README.md", "index.d.mts", "index.d.ts", "index.js", "index.mjs", "package.json"].toSorted(),
  );
  const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: "@reelscript/client", engines: { node: ">=20.19" } });
  expect(manifest["dependencies"]).toBeUndefined();
  expect(readdirSync(path.join(project, "node_modules/@reelscript"))).toEqual(["client"]);
  expect(existsSync(path.join(project, "node_modules/zod"))).toBe(false);
  for (const name of ["index.js", "index.mjs"])
    expect(readFileSync(path.join(installed, name), "utf8")).not.toMatch(
      /\brequire\(|\bimport\b ?[("'{*]|@reelscript|\/work\//,
    );
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  expect(statSync(path.join(folder, tarball!)).size).toBeLessThanOrEqual(20_000);
});

test("an ES module and a CommonJS module of Node use it", async () => {
  const end = "console.log(JSON.stringify(found));";
  const esm = `import { createClient, RefusedError } from "@reelscript/client";${inputs()}${use}${end}`;
  expect(await runNode("use.mjs", esm)).toEqual(found);
  const cjs = `const { createClient, RefusedError } = require("@reelscript/client");(async () => {${inputs()}${use}${end}})();`;
  expect(await runNode("use.cjs", cjs)).toEqual(found);
});

test("its types are exact, for both kinds of modules, without the contract and zod", () => {
  const code = (head: string) => `${head}
    const client: Client = createClient({ baseUrl: "https://x.example", retry: false });
    export async function use(): Promise<string> {
      const { scripts } = await client.searchMyScripts({ sort: "views" });
      const views: number | undefined = scripts[0]?.views;
      // @ts-expect-error -- not one of the orders
      await client.searchMyScripts({ sort: "likes" });
      // @ts-expect-error -- the url is required
      await client.transcribeReel({});
      const started = await client.transcribeReel({ url: "u" }, { respondAsync: true });
      if ("status" in started) return (await client.followTranscription(started)).result?.transcript ?? "";
      const plain: string = (await client.transcribeReel({ url: "u" })).transcript;
      const limit: number = (await client.getUsage()).transcriptions.limit;
      for await (const outcome of client.transcribeReels(["u"]))
        if (outcome.status === "failed" && outcome.error.code === "notFound") return outcome.error.message;
      const error: unknown = new Error("x");
      return error instanceof RefusedError ? error.code : plain + String(views) + String(limit);
    }`;
  writeFileSync(
    path.join(project, "use.mts"),
    code('import { createClient, RefusedError, type Client } from "@reelscript/client";'),
  );
  writeFileSync(
    path.join(project, "use.cts"),
    code('import { createClient, RefusedError, type Client } from "@reelscript/client";'),
  );
  const compiler = path.join(
    path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"];
  const run = spawnSync(process.execPath, [compiler, ...options, "--types", "", "use.mts", "use.cts"], {
    cwd: project,
    encoding: "utf8",
  });
  expect(run.stdout).toBe("");
});

test.skipIf(chromiumProgram === undefined)(
  `a bundle of it runs in a page of another site${unlessSkipped}`,
  async () => {
    const vite = createRequire(path.join(root, "web/package.json")).resolve("vite");
    const { build } = (await import(vite)) as { build: (options: unknown) => Promise<unknown> };
    writeFileSync(
      path.join(project, "page.mjs"),
      `import { createClient, RefusedError } from "@reelscript/client"; window.use = async (baseUrl, key, url) => {${use} return found;};`,
    );
    await build({
      configFile: false,
      logLevel: "error",
      root: project,
      build: {
        outDir: "out",
        lib: { entry: path.join(project, "page.mjs"), formats: ["iife"], name: "page", fileName: () => "page.js" },
      },
    });
    const script = readFileSync(path.join(project, "out/page.js"), "utf8");
    const site = createServer((_request, response) =>
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Another site</title>"),
    );
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const browser = await chromium.launch({ executablePath: chromiumProgram!, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
      await page.addScriptTag({ content: script });
      const used = await page.evaluate(
        async ([baseUrl, apiKey, reel]) =>
          (globalThis as unknown as { use(...given: unknown[]): Promise<unknown> }).use(baseUrl, apiKey, reel),
        [service.url, key, url],
      );
      expect(used).toEqual(found);
    } finally {
      await browser.close();
      await new Promise((resolve) => site.close(resolve));
    }
  },
);
