import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { createClient, type OperationName } from "@reelscript/client";
import { operations, restBasePath, type Operation } from "@reelscript/contract";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { guidesDirectory, loadGuides } from "../../src/adapters/guides/load-guides.ts";
import { ingestCollection } from "../../src/features/reports/ingest-collection.ts";
import { connectMcp } from "../harness/connect-mcp.ts";
import { createEndlessRenderer } from "../files/endless-renderer.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { createErrorsByDocument, type ErrorsByDocument } from "../openapi/errors-by-document.ts";
import { withSharedParts, type ExampleDocument } from "../openapi/with-shared-parts.ts";
import { aVideo, patch } from "../files/file-sender.ts";
import { rest, transcribe, transcribeLater } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { textOfHtml } from "../harness/text-of-html.ts";
import { sixteenReels } from "../reports/golden.ts";

const run = promisify(execFile);
const lacksCurl = spawnSync("curl", ["--version"]).status !== 0;

const declared: readonly [string, Operation][] = Object.entries(operations);

// The limits are raised, because every operation and tool is called from one key and one address.
const rateLimits = { default: 10_000, transcribe: 10_000, bioWrite: 10_000, address: 10_000 };
/** The example's script is translated as if it were in another language. */
const translator = {
  languages: ["en"] as const,
  translate: async () => ({ text: "The same.", segments: [], gaps: [], model: "one-sentence", revision: 1 }),
};
const service = serviceOfTests({
  transcriber: Object.assign(createGatedTranscriber(), { translator }),
  videoRenderer: createEndlessRenderer(),
  rateLimits,
  repeated: ["transcribe-files"],
});
let key: string;
let document: ExampleDocument;
let errorsAt: ErrorsByDocument;
/** These ids of the caller's things replace the ids of the examples. The key is the beginning of an id. */
let owned: Readonly<Record<string, string>>;
/** Only the script of a file can be renamed, and only one whose file is kept can become a video. */
let scriptOfFile: string;
let scriptOfVideo: string;
let reelUrl: string;
beforeAll(async () => {
  const caller = await service.createCaller({ plan: "creator" });
  key = caller.key;
  document = withSharedParts((await (await fetch(`${service.url}/openapi.json`)).json()) as ExampleDocument);
  errorsAt = createErrorsByDocument(document);
  reelUrl = service.standin.urlOf("CenAmiable1");
  await transcribe(service.url, key, reelUrl);
  service.updateRecognizer();
  const { body } = await rest(service.url, "/scripts", { key });
  const id = await transcribeLater(service.url, key, service.standin.urlOf("CenOneSecon"));
  owned = {
    ...idByPrefix((await rest(service.url, "/transcriptions", { key, body: { urls: [reelUrl] } })).body.id),
    rep: await makeReport(caller.accountId),
    ...idByPrefix(id),
    ...idByPrefix(body.scripts[0].id),
  };
  const keptFile = await sendFile({ keepDays: 7 }, "b");
  scriptOfVideo = keptFile.scriptId;
  const video = await rest(service.url, "/videos", { key, body: { scriptId: scriptOfVideo, style: "oneLine" } });
  const { id: fil, scriptId } = await sendFile();
  scriptOfFile = scriptId;
  owned = { ...owned, ...idByPrefix(video.body.id), fil };
});

async function sendFile(input = {}, mark = "a"): Promise<{ readonly id: string; readonly scriptId: string }> {
  const video = await aVideo(0, mark);
  const { body } = await rest(service.url, "/files", {
    key,
    body: { name: "draft.mp4", bytes: video.length, ...input },
  });
  expect((await patch(body.uploadUrl, 0, video)).status).toBe(204);
  const read = async () => (await rest(service.url, `/files/${body.id}`, { key })).body;
  await vi.waitFor(async () => expect((await read()).status).toBe("done"), { timeout: 30_000 });
  return read();
}

/** The caller's ids for an operation. */
function ofOperation(name: string): Readonly<Record<string, string>> {
  if (name === "renameScript") return { ...owned, scr: scriptOfFile };
  return name === "createVideo" || name === "listVideos" ? { ...owned, scr: scriptOfVideo } : owned;
}

async function makeReport(accountId: string): Promise<string> {
  const { store, clock } = service;
  const account = await store.accounts.find(accountId);
  const take = ingestCollection({ reports: store.reports, clock });
  return (await take(account!, { ...sixteenReels, collectedAt: clock.now().toISOString() })).id;
}

const idByPrefix = (id: string): Record<string, string> => ({ [id.split("_", 1)[0]!]: id });

const publicReel = /^https:\/\/www\.instagram\.com\/reel\/[\w-]+\/$/;
const anId = /^([a-z]{3})_[0-9A-Za-z]{16}$/;

/**
 * The value of an example as it can be executed here. Tests reach no public platform, so a reel of it becomes a reel of
 * the stand-in; an id becomes that of a thing which the caller has. All else is sent as it stands.
 */
function executable(value: unknown, ids = owned): unknown {
  if (Array.isArray(value)) return value.map((one) => executable(one, ids));
  if (typeof value !== "string") return value;
  if (publicReel.test(value)) return reelUrl;
  const [, prefix] = anId.exec(value) ?? [];
  if (prefix === undefined) return value;
  return ids[prefix] ?? expect.fail(`nothing of the caller has an id like ${value}`);
}

/** The script is deleted for the example that restores it, and in the library for every other one. */
const prepareScript = (isToBeRestored: boolean) =>
  rest(service.url, isToBeRestored ? "/script-deletions" : "/script-restorations", {
    key,
    body: { ids: [owned["scr"]] },
  });

beforeEach(async () => {
  const { id: accountId } = (await rest(service.url, "/me", { key })).body.account;
  const { webhooks } = service.store;
  const [first] = await webhooks.list(accountId);
  const now = service.clock.now();
  const newKey =
    first ??
    (await webhooks.create({ accountId, keyId: null, url: "https://hooks.example/", secret: Buffer.alloc(32), now }));
  if (typeof newKey === "string") throw new Error(newKey);
  const deliveries = await webhooks.deliveries(accountId, newKey.id);
  if (deliveries?.length === 0) await webhooks.test(accountId, newKey.id, now);
  const [delivery] = (await webhooks.deliveries(accountId, newKey.id)) ?? [];
  owned = { ...owned, ...idByPrefix(newKey.id), ...idByPrefix(delivery!.id) };
});

const executableFields = (example: object, ids = owned): Record<string, unknown> =>
  Object.fromEntries(Object.entries(example).map(([field, value]) => [field, executable(value, ids)]));

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

describe("the example of every operation", () => {
  test.each(declared)("%s does what the document says", async (name, { http, access }) => {
    const path = http.path;
    const method = http.method.toLowerCase();
    await prepareScript(name === "restoreScripts");
    const described = document.paths[path]?.[method];
    expect(described?.operationId).toBe(name);
    const { parameters = [], requestBody } = described!;

    const given = parameters.filter((parameter) => "example" in parameter);
    const missing = parameters.filter((parameter) => parameter.required && !given.includes(parameter));
    expect(
      missing.map((parameter) => parameter.name),
      "required, and without an example",
    ).toEqual([]);
    const values = (location: "path" | "query" | "header"): [string, string][] =>
      given
        .filter((parameter) => parameter.in === location)
        .map((parameter) => [parameter.name, textOf(executable(parameter.example, ofOperation(name)))]);
    // Asking not to wait has an answer of its own.
    const headers = parameters.flatMap(({ name, schema: { examples = [] } }): [string, string][] =>
      // Each request has an idempotency key of its own.
      examples[0] === undefined || name === "prefer" ? [] : [[name, `${examples[0]}${path.length}`]],
    );
    const inPath = Object.fromEntries(values("path"));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(inPath[field]!));
    const query = new URLSearchParams(values("query")).toString();
    const example = requestBody?.content["application/json"].example as Record<string, unknown> | undefined;
    const body = example && executableFields(example, ofOperation(name));
    const answer = await rest(service.url, query === "" ? filled : `${filled}?${query}`, {
      method: http.method,
      headers: Object.fromEntries([...values("header"), ...headers]),
      ...(access === "key" && { key }),
      ...(body !== undefined && { body }),
    });
    expect([answer.status, answer.status === 200 ? "" : answer.body]).toEqual([200, ""]);
    if (http.bare !== undefined) expect(answer.body, "a file").toEqual(expect.any(String));
    else
      expect(
        errorsAt(
          `/paths/${path.replaceAll("/", "~1")}/${method}/responses/200/content/application~1json/schema`,
          answer.body,
        ),
      ).toBe("");
  });

  test.each(declared)("%s has all its values in the document", (_name, { http, example }) => {
    const { parameters = [], requestBody } = document.paths[http.path]![http.method.toLowerCase()]!;
    const examples = {
      ...Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.example])),
      ...(requestBody?.content["application/json"].example as object | undefined),
    };
    expect(examples).toMatchObject(example);
  });

  test.each(declared.flatMap(([, { tools = [], example }]) => tools.map((tool) => ({ tool, example }))))(
    "$tool.name takes what it knows of it, too",
    async ({ tool, example }) => {
      const client = await connectMcp(service.url, "modern", key);
      const { tools } = await client.listTools();
      const fieldNames = Object.keys(tools.find(({ name }) => name === tool.name)?.inputSchema.properties ?? {});
      const result = await client.callTool({
        name: tool.name,
        arguments: executableFields(
          Object.fromEntries(Object.entries(example).filter(([field]) => fieldNames.includes(field))),
        ),
      });
      expect([result.isError ?? false, result.isError ? result.content : ""]).toEqual([false, ""]);
      await client.close();
    },
  );
});

describe("the reference page", () => {
  const samplesIn = (page: string, language: "curl" | "typescript"): string[] =>
    Array.from(page.matchAll(/<pre class="sample (\w+)"[^>]*>(.*?)<\/pre>/gs), ([, of, code = ""]) =>
      of === language ? [textOfHtml(code)] : [],
    ).flat();
  const load = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}${path}`, { headers, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test("has one script, and its policy allows only our own files", async () => {
    const page = await load("/docs");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy, "no host, no scheme that leaves the machine").not.toMatch(/unsafe|https?:|\*/);
    expect(page.text.match(/<script[^>]*>|\son\w+=/g)).toEqual(['<script src="/docs/reference.js" defer>']);

    const addresses = Array.from(
      page.text.matchAll(/<link[^>]* href="(\/[^"]+)"|url\(([^)]+)\)|<script src="([^"]+)"/g),
      (match) => match[1] ?? match[2] ?? match[3]!,
    );
    expect(addresses).toContain("/docs/mono-latin.woff2");
    for (const address of addresses) expect((await load(address)).status, address).toBe(200);
  });

  test("shows the whole document: operations, fields, responses, reasons and link targets", async () => {
    const { text } = await load("/docs");
    const ids = Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    for (const [, target = ""] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    for (const [name, { http, tools = [] }] of declared) {
      expect(ids).toContain(name);
      expect(text).toContain(`<code>${restBasePath}${http.path}</code>`);
      for (const tool of tools) expect(text).toContain(`<code>${tool.name}</code>`);
    }
    for (const name of Object.keys(document.components.schemas)) {
      const schema = document.components.schemas[name]!;
      for (const field of [schema, ...(schema.allOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties)))
        expect(text, `${name}.${field}`).toContain(`<code>${field}</code>`);
    }
    expect(text).toContain("The API key has expired.");
    expect(text).toContain("Every error looks like this one");
    expect(text).toContain("<h4>Answer 304</h4>");
    expect(text).toMatch(/One of <code>en<\/code>, <code>es<\/code>/);
  });

  test.skipIf(lacksCurl)("its samples for curl do what they say (skipped without curl)", async () => {
    const samples = samplesIn((await load("/docs")).text, "curl").filter((sample) => sample.startsWith("curl "));
    expect(samples).toHaveLength(declared.length);
    service.updateRecognizer();
    for (const sample of samples) {
      await prepareScript(sample.includes("/script-restorations"));
      const ids = ofOperation(
        sample.includes("/rename") ? "renameScript" : sample.includes("/videos") ? "createVideo" : "",
      );
      const used = sample
        .replaceAll(
          /https:\/\/www\.instagram\.com\/reel\/[\w-]+\/|https%3A%2F%2Fwww\.instagram\.com%2Freel%2F[\w-]+%2F/g,
          (link) => (link.includes("%") ? encodeURIComponent(reelUrl) : reelUrl),
        )
        .replaceAll(/\b([a-z]{3})_[0-9A-Za-z]{16}\b/g, (id, prefix: string) => ids[prefix] ?? id);
      const env = { PATH: process.env.PATH, REELSCRIPT_API_KEY: key };
      const { stdout } = await run("sh", ["-c", `${used} -s -o /dev/null -w '%{http_code}'`], { env });
      expect([sample, stdout]).toEqual([sample, "200"]);
    }
  });

  test("its samples for TypeScript do what they say", async () => {
    const samples = samplesIn((await load("/docs")).text, "typescript").filter((one) => one.startsWith("const answer"));
    expect(samples).toHaveLength(declared.length);
    service.updateRecognizer();
    const client = createClient({ baseUrl: service.url, apiKey: key, retry: false });
    for (const sample of samples) {
      const [, name = "", written = ""] = /^const answer = await client\.(\w+)\((.*)\);$/s.exec(sample) ?? [];
      await prepareScript(name === "restoreScripts");
      const input = JSON.parse(written.replaceAll(/^( *)(\w+):/gm, '$1"$2":'), (_field, value) =>
        executable(value, ofOperation(name)),
      );
      const call = client[name as OperationName] as (input: unknown) => Promise<unknown>;
      expect([name, await call(input)]).toEqual([name, expect.anything()]);
    }
  });

  test("is asked for again only when it changed, and comes compressed", async () => {
    for (const path of ["/docs", "/docs/sans-latin.woff2"]) {
      const first = await load(path);
      const again = await load(path, { "if-none-match": first.headers.get("etag") ?? "" });
      expect([path, again.status, again.text]).toEqual([path, 304, ""]);
    }
    const plain = await load("/docs", { "accept-encoding": "identity" });
    for (const encoding of ["gzip", "br"]) {
      const packed = await load("/docs", { "accept-encoding": encoding });
      expect([packed.headers.get("content-encoding"), packed.text === plain.text]).toEqual([encoding, true]);
    }
    expect(plain.headers.get("content-encoding")).toBeNull();
  });

  test("the root shows visitors the home page, users the dashboard, programs addresses", async () => {
    const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    const browser = await load("/", { accept });
    expect([browser.status, browser.text.includes("Pricing")]).toEqual([200, true]);
    const home = await load("/", { accept, cookie: "other=1; reelscript_session_8787=x" });
    expect([home.status, home.headers.get("location")]).toEqual([302, "app"]);
    expect((await load("/docs/")).headers.get("location")).toBe("../docs");
    for (const accept of ["*/*", "application/json"]) {
      const program = await load("/", { accept });
      expect(program.status).toBe(200);
      const { name, rest: restUrl, mcp, ...pages } = JSON.parse(program.text) as Record<string, string>;
      expect([name, restUrl, mcp]).toEqual(["Reelscript", `${service.url}${restBasePath}`, `${service.url}/mcp`]);
      for (const address of Object.values(pages)) expect((await fetch(address)).status, address).toBe(200);
    }
  });

  test("does not answer what is no GET, nor files beside it", async () => {
    for (const path of ["/", "/docs", "/docs/sans-latin.woff2", "/openapi.json", "/llms.txt", "/healthz"]) {
      const response = await fetch(`${service.url}${path}`, { method: "POST" });
      expect([path, response.status, response.headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
    }
    for (const path of ["/docs/page.html", "/docs/..%2fpackage.json", "/docs/fonts/"])
      expect([path, (await load(path)).status]).toEqual([path, 404]);
  });
});

test("/openapi.json is the document of /api/v1/openapi.json", async () => {
  const { headers, body } = await rest(service.url, "/openapi.json");
  expect(document).toEqual(withSharedParts(body));
  expect(headers.get("cache-control")).toBe("no-cache");
});

describe("/llms.txt", () => {
  test("names every operation, tool and guide, current limits, and working addresses", async () => {
    const response = await fetch(`${service.url}/llms.txt`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const lines = (await response.text()).split("\n");
    expect(lines[0]).toBe("# Reelscript");
    for (const [, { http, summary, tools = [] }] of declared) {
      const start = `- \`${http.method} ${restBasePath}${http.path}\`: ${summary}`;
      expect(lines.filter((line) => line.startsWith(start))).toHaveLength(1);
      for (const { name } of tools) expect(lines.filter((line) => line.startsWith(`- \`${name}\`: `))).toHaveLength(1);
    }
    const text = lines.join("\n");
    expect(text).toContain("creates a key under API keys");
    expect(text, "the limits of this service, which are not the usual ones").toContain("10000 requests");
    const links = Array.from(text.matchAll(/\]\((http[^)]+)\)/g), ([, address = ""]) => address);
    const guides = await loadGuides(guidesDirectory);
    expect(links).toHaveLength(guides.length + 3);
    for (const address of links) expect((await fetch(address)).status, address).toBe(200);
    for (const { slug, bodyMarkdown } of guides) {
      const address = links.find((link) => link.endsWith(`/${slug}`)) ?? "";
      const guide = await fetch(address, { headers: { accept: "text/markdown" } });
      expect(await guide.text()).toBe(bodyMarkdown.replaceAll("http://127.0.0.1:8787", service.url));
    }
  });
});
