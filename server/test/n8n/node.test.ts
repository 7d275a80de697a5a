import { readFile } from "node:fs/promises";
import { filePlatform, languages, platformNames, scriptLengthNames } from "@reelscript/contract/values";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { n8nFields } from "../../../scripts/n8n-fields.ts";
import { openApi } from "../../src/http/documents/openapi.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import {
  createN8nContext,
  readFromN8n,
  testCredential,
  type N8nCredential,
  type N8nNode,
} from "../harness/n8n-context.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();
const rateLimits = { default: 1_000, transcribe: 60 };
const service = serviceOfTests({ transcriber: gate, rateLimits, repeated: ["advance-batches"] });
const node = await readFromN8n<N8nNode>("nodes/Reelscript/Reelscript.node");
const credential = await readFromN8n<N8nCredential>("credentials/ReelscriptApi.credentials");
afterEach(() => gate.open());

type Values = Readonly<Record<string, unknown>>;
const reel = { resource: "reel", operation: "transcribe" };
const script = (operation: string, values: Values): Values => ({ resource: "script", operation, ...values });

const newKey = async (plan: "free" | "creator" = "creator"): Promise<string> =>
  (await service.createCaller({ plan })).key;

const contextOf = (
  apiKey: string,
  items: readonly Values[],
  more: { continueOnFail?: boolean; baseUrl?: string } = {},
) =>
  createN8nContext({
    node,
    credential,
    // A slash at the end is what people copy from the address bar.
    entered: { baseUrl: more.baseUrl ?? `${service.url}/`, apiKey },
    items,
    continueOnFail: more.continueOnFail ?? false,
  });
const run = async (...[apiKey, items, more]: Parameters<typeof contextOf>) =>
  (await node.execute.call(contextOf(apiKey, items, more)))[0];

describe("a reel", () => {
  test("is transcribed while the workflow waits, once", async () => {
    const apiKey = await newKey();
    const url = service.newReel();
    const [first] = await run(apiKey, [{ ...reel, url, options: { languageHint: "en" } }]);
    expect(first).toEqual({
      json: {
        status: "done",
        progress: 1,
        reelUrl: url,
        transcriptionId: expect.stringMatching(/^trn_/),
        scriptId: expect.stringMatching(/^scr_/),
        transcript: "The same sentence for every reel.",
        language: "en",
        cached: false,
        usage: { used: 1, limit: 1_000 },
      },
      pairedItem: { item: 0 },
    });
    const [again] = await run(apiKey, [{ ...reel, url }]);
    expect(again!.json).toMatchObject({ status: "done", cached: true, scriptId: first!.json.scriptId });
  });

  test("is followed later if the workflow doesn't wait, or not longer", async () => {
    const apiKey = await newKey();
    gate.close();
    const [started] = await run(apiKey, [{ ...reel, url: service.newReel(), wait: false }]);
    expect(started!.json).toEqual({
      status: "queued",
      progress: 0,
      reelUrl: expect.any(String),
      transcriptionId: expect.stringMatching(/^trn_/),
    });
    const [late] = await run(apiKey, [{ ...reel, url: started!.json.reelUrl, options: { maximumWait: 0.2 } }]);
    expect(late!.json).toMatchObject({ transcriptionId: started!.json.transcriptionId, status: /queued|running/ });
    gate.open();
    const get = { resource: "transcription", operation: "get", transcriptionId: started!.json.transcriptionId };
    await expect
      .poll(async () => (await run(apiKey, [get]))[0]!.json)
      .toMatchObject({ status: "done", transcript: "The same sentence for every reel." });
  });

  test("that is unavailable fails with the service's message, or only its item", async () => {
    const apiKey = await newKey();
    const { code } = service.standin.addReel({ availability: "deleted", bytes: Buffer.from("not looked at") });
    const deleted = { ...reel, url: service.standin.urlOf(code) };
    await expect(run(apiKey, [{ ...reel, url: service.newReel() }, deleted])).rejects.toMatchObject({
      message: "This reel was deleted or never existed.",
      description: expect.stringMatching(/^Code: notFound, transcription: trn_/),
      context: { itemIndex: 1 },
    });
    const results = await run(apiKey, [deleted, { ...reel, url: service.newReel() }], { continueOnFail: true });
    expect(results).toMatchObject([
      { json: { error: "This reel was deleted or never existed." }, pairedItem: { item: 0 } },
      { json: { status: "done" }, pairedItem: { item: 1 } },
    ]);
  });

  test("that somebody else has transcribed right now", async () => {
    gate.close();
    const url = service.newReel();
    await run(await newKey(), [{ ...reel, url, wait: false }]);
    await expect(run(await newKey(), [{ ...reel, url }])).rejects.toMatchObject({
      message: expect.stringMatching(/^This reel is already being transcribed. Call again in about \d+ seconds/),
      description: expect.stringMatching(/^Code: inProgress, request: req_/),
      httpCode: "409",
    });
  });
});

describe("a batch", () => {
  const batch = (operation: string, values: Values): Values => ({ resource: "batch", operation, ...values });

  test("costs what the dry run says, continues alone, and itemizes each link", async () => {
    const apiKey = await newKey();
    const urls = [service.newReel(), service.newReel(), service.newReel()];
    const text = `${urls[0]}, ${urls[1]}\n${urls[2]}  ${urls[0]}?utm_source=copy https://example.com/no`;
    const [dry] = await run(apiKey, [batch("create", { urls: text, options: { dryRun: true } })]);
    expect(dry!.json).toMatchObject({ estimate: { reels: 3, duplicates: 1, notReels: 1, fresh: 3, fit: 3 } });
    expect(dry!.json).not.toHaveProperty("id");

    gate.close();
    const [createdBatch] = await run(apiKey, [batch("create", { urls })]);
    const batchId = createdBatch!.json["id"];
    expect(createdBatch!.json).toMatchObject({
      id: expect.stringMatching(/^bat_/),
      status: "open",
      counts: { total: 3 },
    });
    const theBatch = async () => (await run(apiKey, [batch("get", { batchId })]))[0]!.json;
    // Whatever no worker holds yet is canceled, and transcribed after all on request.
    await run(apiKey, [batch("stop", { batchId })]);
    gate.open();
    await expect.poll(theBatch).toMatchObject({ status: "finished" });
    await run(apiKey, [batch("retry", { batchId })]);
    await expect.poll(theBatch).toMatchObject({ status: "finished", counts: { done: 3 } });
    expect((await run(apiKey, [batch("get", { batchId, splitLinks: true })])).map(({ json }) => json)).toEqual(
      urls.map((url) => expect.objectContaining({ batchId, url, status: "done", scriptId: expect.any(String) })),
    );
    expect((await run(apiKey, [batch("retry", { batchId })]))[0]!.json).toMatchObject({ counts: { done: 3 } });
    await expect(run(apiKey, [batch("create", { urls: " " })])).rejects.toThrow('The parameter "urls" is empty');
    await expect(run(apiKey, [batch("get", { batchId: "bat_none" })])).rejects.toMatchObject({ httpCode: "404" });
  });
});

describe("who may not go on reads why", () => {
  test("a used-up plan", async () => {
    const apiKey = await newKey("free");
    for (let used = 0; used < 10; used += 1) await run(apiKey, [{ ...reel, url: service.newReel() }]);
    await expect(run(apiKey, [{ ...reel, url: service.newReel() }])).rejects.toMatchObject({
      message: expect.stringMatching(/^All 10 transcriptions of .* upgrading raises the limit/),
      httpCode: "403",
    });
  });

  test("a rate limit", async () => {
    const apiKey = await newKey();
    const url = service.newReel();
    for (let call = 0; call < 60; call += 1) await rest(service.url, "/transcribe", { key: apiKey, body: { url } });
    await expect(run(apiKey, [{ ...reel, url }])).rejects.toMatchObject({
      message: expect.stringMatching(/^At most 60 transcriptions .* \d+ (seconds|minutes)/),
      httpCode: "429",
    });
  });

  test("a wrong key, and an address of something else", async () => {
    const usage = { resource: "account", operation: "getUsage" };
    await expect(run("svc_sk_wrong", [usage])).rejects.toMatchObject({
      message: expect.stringMatching(/^The Authorization header doesn't have a valid API key./),
      httpCode: "401",
    });
    const baseUrl = service.standin.origin;
    await expect(run(await newKey(), [usage], { baseUrl })).rejects.toThrow(
      `${baseUrl}/api/v1 answers 404, but not as Reelscript does. Check the base URL in the credential.`,
    );
    expect(await testCredential(credential, { baseUrl: service.url, apiKey: "svc_sk_wrong" })).toBe("status 401");
    expect(await testCredential(credential, { baseUrl: `${service.url}//`, apiKey: await newKey() })).toBeUndefined();
  });

  test("an empty parameter", async () =>
    expect(run(await newKey(), [{ ...reel, url: " " }])).rejects.toThrow('The parameter "url" is empty'));
});

describe("scripts", () => {
  let apiKey: string;
  const urls: string[] = [];
  beforeAll(async () => {
    apiKey = await newKey();
    for (let count = 0; count < 53; count += 1) {
      urls.push(service.newReel());
      await rest(service.url, "/transcribe", { key: apiKey, body: { url: urls.at(-1) } });
    }
  });

  test("are listed up to a limit, or all, page by page", async () => {
    expect(await run(apiKey, [script("getAll", {})])).toHaveLength(50);
    expect(await run(apiKey, [script("getAll", { limit: 52 })])).toHaveLength(52);
    const all = await run(apiKey, [script("getAll", { returnAll: true })]);
    expect(new Set(all.map(({ json }) => json.reelUrl))).toEqual(new Set(urls));
    expect(all.every(({ pairedItem }) => pairedItem.item === 0)).toBe(true);
  });

  test("are searched", async () => {
    const items = await run(apiKey, [
      script("getAll", { query: "sentence", limit: 1, sort: "views", simplify: false }),
    ]);
    expect(items).toMatchObject([{ json: { snippet: expect.any(Array), platform: expect.any(String) } }]);
    expect(await run(apiKey, [script("getAll", { query: "sourdough" })])).toEqual([]);
    expect(await run(apiKey, [script("getAll", { filters: { language: "es" } })])).toEqual([]);
    expect(await run(apiKey, [script("getAll", { filters: { account: "nobody.here" } })])).toEqual([]);
  });

  test("are chosen from a list, by the reel's link, or by id", async () => {
    const { searchScripts } = node.methods.listSearch;
    const { results, paginationToken } = await searchScripts!.call(contextOf(apiKey, []), "sentence");
    expect(results).toHaveLength(50);
    expect((await searchScripts!.call(contextOf(apiKey, []), "sentence", paginationToken)).results).toHaveLength(3);
    const { value, url } = results[0]!;
    const [byId] = await run(apiKey, [script("get", { script: { mode: "id", value } })]);
    const [byUrl] = await run(apiKey, [script("get", { script: { mode: "url", value: url } })]);
    expect(byId).toEqual(byUrl);
    expect(byId!.json).toMatchObject({ id: value, reelUrl: url, transcript: "The same sentence for every reel." });
    expect(Object.keys(byId!.json).length).toBeLessThanOrEqual(10);
    const [whole] = await run(apiKey, [script("get", { script: { mode: "list", value }, simplify: false })]);
    expect(whole!.json).toMatchObject({ segments: [{ text: "The same sentence for every reel." }] });
    await expect(run(apiKey, [script("get", { script: { mode: "url", value: service.newReel() } })])).rejects.toThrow(
      "This reel isn't in your library. Transcribe it first.",
    );
    await expect(run(apiKey, [script("get", { script: { mode: "id", value: "../usage" } })])).rejects.toMatchObject({
      httpCode: "404",
    });
  });

  test.each(["srt", "vtt", "vtt-words"])("come as subtitles in %s", async (format) => {
    const { results } = await node.methods.listSearch["searchScripts"]!.call(contextOf(apiKey, []));
    const { value } = results[0]!;
    const [result] = await run(apiKey, [script("getSubtitles", { script: { mode: "list", value }, format })]);
    const expected = await rest(service.url, `/scripts/${value}/subtitles?format=${format}`, { key: apiKey });
    expect(result!.json).toEqual({ scriptId: value, format, subtitles: expected.body });
    const { data, fileName, mimeType } = result!.binary!["data"]!;
    expect(Buffer.from(data, "base64").toString()).toBe(expected.body);
    expect(fileName).toMatch(format === "srt" ? /^added\.reels-\w+\.en\.srt$/ : /^added\.reels-\w+\.en\.vtt$/);
    expect(expected.headers.get("content-type")).toContain(mimeType);
  });
});

test("usage is that of the account", async () => {
  const [usage] = await run(await newKey(), [{ resource: "account", operation: "getUsage" }]);
  expect(usage!.json).toMatchObject({ plan: "creator", transcriptions: { used: 0, limit: 1_000 } });
});

test("the editor offers the languages, platforms and lengths that there are", async () => {
  const generated = new URL("../../../integrations/n8n/nodes/Reelscript/api-fields.ts", import.meta.url);
  expect(await readFile(generated, "utf8"), "renew it with `npm run surface`").toBe(
    n8nFields(openApi("http://127.0.0.1:8787")),
  );
  const offered = (name: string, parameter: string) =>
    node.description.properties
      .find((one) => one.name === name)!
      .options!.find((one) => one.name === parameter)!
      .options!.map((one) => one.value);
  expect(new Set(offered("options", "languageHint"))).toEqual(new Set(Object.keys(languages)));
  expect(new Set(offered("filters", "language"))).toEqual(new Set([...Object.keys(languages), "und"]));
  expect(offered("filters", "platform")).toEqual([...platformNames, filePlatform]);
  expect(offered("filters", "length")).toEqual(scriptLengthNames);
});
