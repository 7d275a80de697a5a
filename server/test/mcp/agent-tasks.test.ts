import { expect, test } from "vitest";
import { mustClaim, transcribe, transcriptOf } from "../database/conformance/fixtures.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

/** A script of a reel of the public platform, all of which is said from a second on. */
async function addScript(accountId: string, { text, at }: { readonly text: string; readonly at: number }) {
  const said = { text, caption: "Bread.", handle: "ana.coffee", views: 3_001, likes: 100, comments: 7 };
  const segments = [{ start: at, end: at + 5, text }];
  const { reel } = await transcribe(service.store, accountId, said, service.clock.now(), { segments });
  return reel.url;
}

async function agent() {
  const caller = await service.createCaller({ plan: "creator" });
  return { ...caller, ...(await connectAgent(service.url, caller.key)) };
}

test("a hit has two addresses and no transcript", async () => {
  const { accountId, call, close } = await agent();
  const url = await addScript(accountId, { text: "Now we feed the sourdough starter.", at: 92.6 });
  const { text, data } = await call("search_my_scripts", { query: "sourdough" });
  const [script] = data.scripts;
  expect(script).toMatchObject({ reelUrl: url, at: 92.6, atUrl: `${service.url}/app/scripts/${script.id}?t=92.6` });
  expect(script.transcript).toBeUndefined();
  expect(text).toContain(url);
  expect(text).toContain(`found at 1:32 (${script.atUrl}): `);
  expect(script.engagementRate).toBe(Math.round(script.engagementRate * 100) / 100);
  await close();
});

test("a script comes as subtitles", async () => {
  const { accountId, key, call, close } = await agent();
  await addScript(accountId, { text: "Fold it, then wait.", at: 1 });
  const { data } = await call("list_my_scripts");
  const [{ id }] = data.scripts;
  const { text, data: file } = await call("list_my_scripts", { ids: [id], subtitles: "srt" });
  expect(text).toMatch(/^1\n00:00:01,000 --> /);
  expect(text).toContain("Fold it, then wait.");
  expect(file).toEqual({ subtitles: text, readingSpeed: { average: 3.8, fastest: 3.8 } });
  const response = await fetch(`${service.url}/api/v1/scripts/${id}/subtitles?format=srt`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(await response.text()).toBe(text);
  expect((await call("list_my_scripts", { subtitles: "srt" })).text).toMatch(/^\[invalidRequest\] `subtitles`: needs/);
  expect((await call("list_my_scripts", { ids: ["scr_nobodys"], subtitles: "vtt" })).text).toMatch(/^\[notFound\]/);
  await close();
});

test("null is absent in every field; clear says what to empty", async () => {
  const { call, close } = await agent();
  const link = { title: "Shop", url: "https://example.com/shop" };
  const seo = { title: "Ana bakes", description: "Bread." };
  const { data: before } = await call("update_bio_page", {
    displayName: "Ana",
    bio: "Bread.",
    links: [link],
    seo,
    theme: { preset: "warm", colors: { button: "#112233" } },
  });
  const { data: after } = await call("update_bio_page", {
    displayName: null,
    bio: "More bread.",
    avatarUrl: null,
    links: null,
    socials: null,
    seo: { title: null, description: null, imageUrl: null, noindex: null, sitemap: null },
    theme: null,
    clear: null,
    restoreRevision: null,
    ifRevision: null,
    dryRun: null,
  });
  expect(after).toMatchObject({
    displayName: "Ana",
    bio: "More bread.",
    links: before.links,
    seo,
    theme: before.theme,
  });
  expect(after.changes).toEqual([{ path: "bio", before: "Bread.", after: "More bread." }]);
  const { data: cleared } = await call("update_bio_page", {
    clear: ["links", "seo.title", "theme.colors"],
    seo: { description: "Loaves." },
  });
  expect(cleared).toMatchObject({ displayName: "Ana", links: [], seo: { title: null, description: "Loaves." } });
  expect(cleared.theme).toMatchObject({ preset: "warm", colors: { button: null } });
  for (const input of [
    { clear: ["bio"], bio: "x" },
    { clear: ["seo.title"], seo: { title: "x" } },
  ])
    expect((await call("update_bio_page", input)).text).toMatch(/^\[invalidRequest\] `clear\[0\]`: .* is set/);
  expect((await call("list_my_scripts", { account: null, sort: null, limit: null, ids: null })).isError).toBe(false);
  await close();
});

test("a removed link returns with its id when restored or resent", async () => {
  const { call, close } = await agent();
  const shop = { title: "Shop", url: "https://example.com/shop" };
  const { data: first } = await call("update_bio_page", { links: [shop] });
  await call("update_bio_page", { links: [{ title: "Other", url: "https://example.com/other" }] });
  const { data: read, text } = await call("get_my_bio_page");
  expect(text).toContain(`revision: ${read.revision}`);
  const { data: restored } = await call("update_bio_page", {
    restoreRevision: read.revision - 1,
    ifRevision: read.revision,
  });
  expect(restored).toMatchObject({ links: first.links, revision: read.revision + 1 });
  await call("update_bio_page", { clear: ["links"] });
  const sentLink = { ...shop, title: "Shop again", id: first.links[0].id };
  expect((await call("update_bio_page", { links: [sentLink] })).data.links).toMatchObject([sentLink]);
  const stranger = await agent();
  expect((await stranger.call("update_bio_page", { links: [sentLink] })).text).toMatch(/^\[invalidRequest\]/);
  await stranger.close();
  expect((await call("update_bio_page", { restoreRevision: 0, bio: "x" })).text).toMatch(
    /^\[invalidRequest\] `restoreRevision`: goes with/,
  );
  await close();
});

test("a repeated call for one's running reel waits, and counts once", async () => {
  const { key, call, client, close } = await agent();
  const remaining = async () => {
    const { transcribe, default: all } = (await rest(service.url, "/me", { key })).body.rateLimits;
    return { transcribe: transcribe.remaining, others: 60 - all.remaining };
  };
  const url = "https://www.instagram.com/reel/DLlGZrepeat/";
  const progress: string[] = [];
  const ask = (signal?: AbortSignal) =>
    client.callTool(
      { name: "transcribe_reel", arguments: { url, languageHint: null } },
      { onprogress: ({ message = "" }) => void progress.push(message), ...(signal && { signal }) },
    );
  const gaveUp = new AbortController();
  const first = ask(gaveUp.signal).catch(() => undefined);
  await expect.poll(() => progress.length).toBeGreaterThan(0);
  gaveUp.abort();
  await first;
  for (let count = 2; count <= 10; count += 1) await call("transcribe_reel", {});
  expect((await remaining()).transcribe).toBe(0);
  const { others } = await remaining();
  progress.length = 0;
  const second = ask();
  await expect.poll(() => progress).toContain("Waiting for a free transcriber");
  const { store, clock } = service;
  const claim = await mustClaim(store);
  expect(claim.reel.url).toBe(url);
  await store.transcriptions.complete(claim, transcriptOf(claim.reel, { text: "At last." }), true, clock.now());
  const { structuredContent, isError } = await second;
  expect(isError ?? false).toBe(false);
  expect(structuredContent).toMatchObject({ transcript: "At last.", cached: false, usage: { used: 1 } });
  expect(await remaining()).toEqual({ transcribe: 0, others: others + 1 });
  expect((await call("transcribe_reel", { url })).text).toMatch(/^\[rateLimited\]/);

  await close();
});

test("a result later than its call doesn't count, either, for ten minutes", async () => {
  const { key, call, close } = await agent();
  const url = service.standin.urlOf("CenAmiable1");
  const left = async () => (await rest(service.url, "/me", { key })).body.rateLimits.transcribe.remaining;
  const prefer = { prefer: "respond-async" };
  expect((await rest(service.url, "/transcribe", { key, method: "POST", body: { url }, headers: prefer })).status).toBe(
    202,
  );
  const { store, clock } = service;
  clock.advance(60_000);
  const claim = await mustClaim(store, clock.now());
  await store.transcriptions.complete(claim, transcriptOf(claim.reel, { text: "Late." }), true, clock.now());
  expect(await left()).toBe(9);
  expect((await call("transcribe_reel", { url })).data).toMatchObject({ transcript: "Late.", cached: true });
  expect(await left()).toBe(9);
  expect((await rest(service.url, "/transcribe", { key, method: "POST", body: { url } })).status).toBe(200);
  expect(await left()).toBe(8);
  for (let repeat = 2; repeat <= 20; repeat += 1) await call("transcribe_reel", { url });
  expect(await left()).toBe(8);
  await call("transcribe_reel", { url });
  expect(await left()).toBe(7);
  clock.advance(11 * 60_000);
  await call("transcribe_reel", { url });
  expect(await left()).toBe(6);
  await close();
});

test("a text that already fits the schema is used unchanged", async () => {
  const { accountId, call, close } = await agent();
  await addScript(accountId, { text: "Numbers as text.", at: 1 });
  const { data } = await call("list_my_scripts", { limit: "5" });
  expect(data.scripts).toHaveLength(1);
  const ids = JSON.stringify([data.scripts[0].id]);
  expect((await call("list_my_scripts", { ids, limit: "1" })).data.scripts).toHaveLength(1);
  const { data: page } = await call("update_bio_page", {
    displayName: "[1]",
    bio: "42",
    links: '[{"title":"Shop","url":"https://example.com/shop","highlighted":"true"}]',
    seo: '{"title":"true"}',
    dryRun: "true",
  });
  expect(page).toMatchObject({ displayName: "[1]", bio: "42", seo: { title: "true" }, dryRun: true });
  expect(page.links).toMatchObject([{ title: "Shop", highlighted: true }]);
  const { data: partly } = await call("update_bio_page", {
    bio: "Loaves.",
    seo: '{"title":null,"noindex":"true"}',
    theme: "null",
    ifRevision: "null",
    dryRun: "true",
  });
  expect(partly).toMatchObject({ bio: "Loaves.", seo: { title: null, noindex: true }, dryRun: true });
  await close();
});

test("a text that is something else is refused with both kinds named", async () => {
  const { call, close } = await agent();
  const refusal = async (name: string, input: Record<string, unknown>) => (await call(name, input)).text;
  expect(await refusal("list_my_scripts", { limit: "five" })).toBe(
    "[invalidRequest] `limit`: must be a number, not text.",
  );
  expect(await refusal("list_my_scripts", { ids: '{"0":"scr_1"}' })).toBe(
    "[invalidRequest] `ids`: must be a list, not text.",
  );
  expect(await refusal("update_bio_page", { seo: "[]" })).toBe("[invalidRequest] `seo`: must be an object, not text.");
  expect(await refusal("update_bio_page", { dryRun: "yes" })).toBe(
    "[invalidRequest] `dryRun`: must be true or false, not text.",
  );
  expect(await refusal("search_my_scripts", { query: ["hook"] })).toBe(
    "[invalidRequest] `query`: must be text, not a list.",
  );
  await close();
});

const message = (params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });

async function post(key: string, body: string, accept?: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(accept !== undefined && { accept }),
      ...headers,
    },
    body,
  });
  const text = await response.text();
  const type = response.headers.get("content-type")?.split(";", 1)[0];
  const data = type === "text/event-stream" ? (/^data: (\{.*)$/m.exec(text)?.[1] ?? text) : text;
  return { status: response.status, type, result: JSON.parse(data).result };
}

test.each([[null], ["{}"], ['{"days":7}'], [{}], [undefined], ["null"], [""], [" "], [[]], ["[]"]])(
  "arguments may be %j",
  async (given) => {
    const { key, close } = await agent();
    const { result } = await post(key, message({ name: "get_bio_analytics", arguments: given }));
    expect(result.structuredContent.days).toBe(given === '{"days":7}' ? 7 : 30);
    await close();
  },
);

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const modernHeaders = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "get_my_usage",
};

test.each([
  ["application/json", "application/json"],
  ["text/event-stream", "text/event-stream"],
  ["text/*;q=0.5", "text/event-stream"],
  ["*/*", "application/json"],
  [undefined, "application/json"],
  ["application/*, image/png", "application/json"],
])("a client that accepts %s is answered with %s", async (accept, expected) => {
  const { key, close } = await agent();
  const call = { name: "get_my_usage", arguments: {} };
  for (const { status, type, result } of [
    await post(key, message(call), accept),
    await post(key, message({ ...call, _meta: modern }), accept, modernHeaders),
  ]) {
    expect([status, type]).toEqual([200, expected]);
    expect(result.structuredContent.transcriptions.limit).toBe(1_000);
  }
  await close();
});

test("null that means something is a word in the text", async () => {
  const { call, close } = await agent();
  expect((await call("get_my_usage")).text).toMatch(/posts: used 0; limit unlimited/);
  const page = (await call("get_my_bio_page")).text;
  expect(page).toMatch(/^url: no public address yet$/m);
  expect(page).toMatch(/^updatedAt: never changed$/m);
  expect((await call("get_plans")).text).toContain("limit unlimited");
  expect((await call("get_bio_analytics")).text).toMatch(/^countedSince: no page yet$/m);
  await close();
});

test("guides are listed by title, and weak words match none", async () => {
  const { call, close } = await agent();
  const { text, data } = await call("find_guide");
  expect(data.guides).toHaveLength(data.total);
  expect(Object.keys(data.guides[0])).toEqual(["slug", "title"]);
  expect(text.split("\n")).toHaveLength(data.total);
  expect((await call("find_guide", { query: "how do I do it" })).text).toBe(
    'No guide is about "how do I do it". Call find_guide without a query for all titles.',
  );
  expect((await call("find_guide", { query: "how do I write a hook?" })).data.guides[0].slug).toBe("write-a-hook");
  await close();
});
