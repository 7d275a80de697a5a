import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operations } from "@reelscript/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openApi } from "../../src/http/documents/openapi.ts";
import type { DescribedDocument } from "../../src/http/documents/reference/described-document.ts";
import { referencePage } from "../../src/http/documents/reference/reference-page.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { listen } from "../harness/listen.ts";
import { startConnectProxy } from "../harness/start-connect-proxy.ts";
import { lackingForRoad } from "../../../scripts/processes/start-platform-road.ts";
import { startSite } from "../harness/start-site.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { textOfHtml } from "../harness/text-of-html.ts";
import { chromiumProgram, openChromium, unlessSkipped } from "../../../web/test/browser/chromium-program.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

let service: TestService;
let key: string;
let url: string;
let folder: string;
let project: string;
let installed: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "reelscript-test-"));
  const run = spawnSync(process.execPath, [path.join(root, "dist/scripts/pack-client.js"), folder], {
    encoding: "utf8",
  });
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
  service = await startTestService({ transcriber: gate, repeated: ["advance-batches"] });
  ({ key } = await service.createCaller());
  url = service.newReel();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Every kind of program does this with the package, and collects the results in `results`. */
const use = `
  const client = createClient({ baseUrl, apiKey: key });
  const states = [];
  const { transcript } = await client.transcribeAndFollow({ url }, { onProgress: ({ status }) => states.push(status) });
  const outcomes = [];
  for await (const { status } of client.transcribeReels([url, "espresso"])) outcomes.push(status);
  const scripts = [];
  for await (const { reelUrl } of client.allScripts()) scripts.push(reelUrl);
  const refused = await createClient({ baseUrl, apiKey: "svc_sk_wrong" }).getUsage().catch((error) => error);
  const results = {
    words: transcript.length > 0,
    outcomes,
    scripts: scripts.length,
    refused: [refused.name, refused.code, refused instanceof CallError, refused instanceof Error],
  };`;
const expected = {
  words: true,
  outcomes: ["done", "failed"],
  scripts: 1,
  refused: ["CallError", "unauthorized", true, true],
};
const inputs = () => `const [baseUrl, key, url] = ${JSON.stringify([service.url, key, url])};`;

async function runNode(name: string, code: string): Promise<unknown> {
  writeFileSync(path.join(project, name), code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], { cwd: project });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("the package has code, types, readme and license, without dependencies", () => {
  expect(readdirSync(installed).toSorted()).toEqual(
    ["LICENSE", "README.md", "cli.js", "core.js", "index.d.cts", "index.d.ts", "index.js", "package.json"].toSorted(),
  );
  const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: "@reelscript/client", engines: { node: ">=20.19" } });
  expect(manifest["dependencies"]).toBeUndefined();
  expect(readdirSync(path.join(project, "node_modules/@reelscript"))).toEqual(["client"]);
  expect(existsSync(path.join(project, "node_modules/zod"))).toBe(false);
  for (const name of ["index.js", "core.js"])
    expect(readFileSync(path.join(installed, name), "utf8")).not.toMatch(
      /\brequire\(|\bimport\b ?\(|@reelscript|node:|\/work\//,
    );
});

test("an ES module and a CommonJS module of Node use it", async () => {
  const end = "console.log(JSON.stringify(results));";
  const esm = `import { createClient, CallError } from "@reelscript/client";${inputs()}${use}${end}`;
  expect(await runNode("use.mjs", esm)).toEqual(expected);
  const cjs = `const { createClient, CallError } = require("@reelscript/client");(async () => {${inputs()}${use}${end}})();`;
  expect(await runNode("use.cjs", cjs)).toEqual(expected);
});

test("its program works alone: batch, transcribe, script by link, lists", async () => {
  const program = path.join(project, "node_modules/.bin/reelscript");
  const { key: ownKey } = await service.createCaller();
  const run = async (...args: string[]) =>
    promisify(execFile)(program, args, {
      cwd: project,
      env: { PATH: path.dirname(process.execPath), REELSCRIPT_URL: service.url, REELSCRIPT_API_KEY: ownKey },
    });
  writeFileSync(path.join(project, "reels.txt"), `${url}\n`);
  await run("batch", "reels.txt", "--output", "results.jsonl");
  expect(JSON.parse(readFileSync(path.join(project, "results.jsonl"), "utf8"))).toMatchObject({ url, status: "done" });
  const { stdout: words } = await run("transcribe", url);
  expect(words).toMatch(/\w+/);
  const script = JSON.parse((await run("script", `${url}?utm_source=x`, "--json")).stdout) as { reelUrl: string };
  expect(script.reelUrl).toBe(url);
  expect((await run("scripts-text", url)).stdout.trim()).toBe(words.replaceAll("\n", " ").trim());
  expect((await run("transcriptions")).stderr, "a cached reel makes none").toContain("No transcriptions");
  expect((await run("--version")).stdout).toBe("1.0.0\n");
  expect((await run("--help")).stdout).toContain("where the service is installed");
  await expect(run("key", "create")).rejects.toMatchObject({
    stderr: expect.stringContaining("on the machine of the service"),
  });
  await expect(run("scripts", "--limit", "many")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--limit must be a whole number from 1 to 50, not "many"'),
  });
});

const name = "reelscript.example";
if (lackingForRoad !== undefined) process.stderr.write(`Nothing is asked through a tunnel: ${lackingForRoad}.\n`);
test.skipIf(lackingForRoad !== undefined)(
  "its program goes through HTTPS_PROXY in a tunnel, and says what failed",
  async () => {
    const [certificate, secret] = ["site.crt", "site.key"].map((file) => path.join(folder, file)) as [string, string];
    const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`, "-days", "2"];
    const opensslArguments = [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      ...subject,
      "-keyout",
      secret,
      "-out",
      certificate,
    ];
    expect(spawnSync("openssl", opensslArguments).status).toBe(0);
    const { port } = new URL(service.url);
    const secure = createTlsServer({ key: readFileSync(secret), cert: readFileSync(certificate) }, (near) => {
      const far = connect(Number(port), "127.0.0.1");
      near.pipe(far).pipe(near);
      near.on("error", () => far.destroy());
      far.on("error", () => near.destroy());
    });
    const { port: securePort } = await listen(secure);
    const proxy = await startConnectProxy({
      credentials: "ada:s3cret",
      route: () => ({ host: "127.0.0.1", port: securePort }),
    });
    const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
      const usual = { PATH: path.dirname(process.execPath), NODE_EXTRA_CA_CERTS: certificate, REELSCRIPT_API_KEY: key };
      const environment = { ...usual, REELSCRIPT_URL: `https://${name}`, HTTPS_PROXY: proxy.url, ...more };
      const program = path.join(project, "node_modules/.bin/reelscript");
      const work = promisify(execFile)(program, [...args, "--no-wait"], { cwd: project, env: environment });
      return { child: work.child, ended: work.catch((error: unknown) => error as { code: number; stderr: string }) };
    };
    try {
      const words = await start(["transcribe", url]).ended;
      expect(words).toMatchObject({ stdout: expect.stringMatching(/\w+/) });
      expect(proxy.requestedHosts).toEqual([`${name}:443`]);
      const fails = async (more: Readonly<Record<string, string>>, message: string) =>
        expect(await start(["usage"], more).ended).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
      await fails(
        { HTTPS_PROXY: proxy.url.replace("s3cret", "wrong") },
        `${proxy.name} refuses the way to https://${name}`,
      );
      await fails({ NODE_EXTRA_CA_CERTS: "" }, `through the proxy ${proxy.name} (DEPTH_ZERO_SELF_SIGNED_CERT)`);
      proxy.answer("HTTP/1.1 403 No\r\n\r\n");
      await fails({}, "(status 403)");
      proxy.answer("220 mail.example ESMTP\r\n");
      await fails({}, `through the proxy ${proxy.name} (HPE_INVALID_CONSTANT)`);
      proxy.answer(undefined);
      const before = proxy.requestedHosts.length;
      const silent = start(["usage"]);
      await vi.waitUntil(() => proxy.requestedHosts.length > before, { timeout: 120_000 });
      silent.child.kill("SIGINT");
      expect(await silent.ended).toMatchObject({ code: 130, stderr: "Interrupted.\n" });
    } finally {
      await proxy.close();
      secure.close();
    }
  },
);

test("types are exact for both kinds of modules, and accept documented samples", () => {
  const code = `import { createClient, CallError, type Client } from "@reelscript/client";
    const client: Client = createClient({ baseUrl: "https://x.example", retry: false });
    export async function use(): Promise<string> {
      const { scripts } = await client.searchMyScripts({ sort: "views" });
      const views: number | undefined = scripts[0]?.views;
      // @ts-expect-error -- not one of the orders
      await client.searchMyScripts({ sort: "shares" });
      // @ts-expect-error -- the url is required
      await client.transcribeReel({});
      const started = await client.transcribeReel({ url: "u" }, { respondAsync: true });
      if ("status" in started) return (await client.followTranscription(started)).result?.transcript ?? "";
      const plain: string = (await client.transcribeReel({ url: "u" })).transcript;
      const limit: number = (await client.getUsage()).transcriptions.limit;
      for await (const outcome of client.transcribeReels(["u"]))
        if (outcome.status === "failed" && outcome.error.code === "notFound") return outcome.error.message;
      const error: unknown = new Error("x");
      return error instanceof CallError ? error.code : plain + String(views) + String(limit);
    }`;
  for (const name of ["use.mts", "use.cts"]) writeFileSync(path.join(project, name), code);
  writeFileSync(path.join(project, "samples.mts"), samplesOfDocs());
  const signals = `import { createClient } from "@reelscript/client";
    export async function use(): Promise<void> {
      const client = createClient({ baseUrl: "https://x.example", fetch });
      await client.getUsage({}, { signal: AbortSignal.timeout(1) });
      // @ts-expect-error -- not a signal
      await client.getUsage({}, { signal: { aborted: false } });
    }`;
  for (const name of ["signals.mts", "signals.cts"]) writeFileSync(path.join(project, name), signals);
  for (const module of ["nodenext", "node16"]) {
    const uses = module === "nodenext" ? ["use.mts", "use.cts", "samples.mts"] : [];
    const bare = compile([module, "es2022", ""], ["use.mts", "use.cts"]);
    expect(bare, `${module}, neither dom nor the types of Node`).toBe("");
    const ofNode = compile([module, "es2022", "node"], ["use.cts", "signals.mts", "signals.cts"]);
    expect(ofNode, `${module}, the types of Node without dom`).toBe("");
    const ofPages = compile([module, "es2022,dom", ""], ["signals.mts", "signals.cts", ...uses]);
    expect(ofPages, `${module}, dom without the types of Node`).toBe("");
  }
});

/** Returns the compiler's complaints about files of the project. */
function compile([module, lib, types]: readonly [string, string, string], files: readonly string[]): string {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const settings = ["--noEmit", "--module", module, "--target", "es2022", "--lib", lib];
  const typeOptions = ["--typeRoots", path.join(root, "node_modules/@types"), "--types", types];
  const compiler = path.join(path.dirname(manifest), "bin/tsc");
  const run = spawnSync(process.execPath, [compiler, ...strict, ...settings, ...typeOptions, ...files], {
    cwd: project,
    encoding: "utf8",
  });
  return run.stdout;
}

/** The samples of `/docs` for TypeScript as a program. */
function samplesOfDocs(): string {
  const document = openApi("http://127.0.0.1:8787") as unknown as DescribedDocument;
  const [setUp = "", ...samples] = Array.from(
    referencePage(document, false, "").matchAll(/<pre class="sample typescript"[^>]*>(.*?)<\/pre>/gs),
    ([, code = ""]) => textOfHtml(code),
  );
  expect(samples).toHaveLength(Object.keys(operations).length);
  return [
    "declare const process: { readonly env: { readonly REELSCRIPT_API_KEY: string | undefined } };",
    setUp,
    ...samples.map((sample) => `{\n${sample}\nvoid answer;\n}`),
  ].join("\n");
}

test.skipIf(chromiumProgram === undefined)(
  `a bundle of it runs in a page of another site${unlessSkipped}`,
  async () => {
    const vite = createRequire(path.join(root, "web/package.json")).resolve("vite");
    const { build } = (await import(vite)) as { build: (options: unknown) => Promise<unknown> };
    writeFileSync(
      path.join(project, "page.mjs"),
      `import { createClient, CallError } from "@reelscript/client"; window.use = async (baseUrl, key, url) => {${use} return results;};`,
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
    const site = await startSite();
    const page = await (await openChromium()).newPage();
    try {
      await page.goto(site.origin);
      await page.addScriptTag({ content: script });
      const used = await page.evaluate(
        async ([baseUrl, apiKey, reel]) =>
          (globalThis as unknown as { use(...given: unknown[]): Promise<unknown> }).use(baseUrl, apiKey, reel),
        [service.url, key, url],
      );
      expect(used).toEqual(expected);
    } finally {
      await page.close();
      await site.close();
    }
  },
);
