import { expect, test } from "vitest";
import { aReel, transcribe, transcriptOf } from "../database/conformance/fixtures.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

async function addScript(accountId: string, language: string, seconds: number, platform = "standin"): Promise<void> {
  const said = { text: `the hook of ${seconds}`, handle: "ana-coffee" };
  const address = { ...aReel(), platform };
  await transcribe(service.store, accountId, said, service.clock.now(), { address, language, seconds });
}

test("lists filter by language and length over REST, and name existing ones", async () => {
  const { accountId, key } = await service.createCaller();
  await addScript(accountId, "ta", 44);
  await addScript(accountId, "ta", 300);
  await addScript(accountId, "en", 44);
  const list = (query: string) => rest(service.url, `/scripts?${query}`, { key });
  expect((await list("language=ta&length=30to60s&query=hook")).body).toMatchObject({
    total: 1,
    scripts: [{ language: "ta", transcript: "the hook of 44" }],
  });
  expect((await list("language=ta")).body.total).toBe(2);
  expect((await list("length=30to60s")).body.total).toBe(2);
  expect((await list("language=und")).body).toEqual({ scripts: [], total: 0 });
  for (const wrong of ["language=xx", "length=short"])
    expect(await list(wrong)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/must be "(en|under30s)",/) } },
    });
});

test("lists filter by platform, and a handle matches on every platform", async () => {
  const { accountId, key } = await service.createCaller();
  await addScript(accountId, "en", 44, "tiktok");
  await addScript(accountId, "en", 45, "instagram");
  await addScript(accountId, "es", 46, "instagram");
  const wordsFor = async (query: string) => {
    const { body } = await rest(service.url, `/scripts?${query}`, { key });
    return body.scripts.map(({ transcript }: { transcript: string }) => transcript.split(" ").at(-1)).toSorted();
  };
  expect(await wordsFor("platform=tiktok")).toEqual(["44"]);
  expect(await wordsFor("platform=instagram")).toEqual(["45", "46"]);
  expect(await wordsFor("platform=instagram&language=en&query=hook")).toEqual(["45"]);
  expect(await wordsFor("platform=youtube")).toEqual([]);
  expect(await wordsFor("account=ana-coffee")).toEqual(["44", "45", "46"]);
  expect(await wordsFor("account=ana-coffee&platform=tiktok")).toEqual(["44"]);
  const id = (await rest(service.url, "/scripts?platform=tiktok", { key })).body.scripts[0].id;
  const person = await service.store.corrections.change(
    accountId,
    id,
    ({ segments }) => segments.map(() => "other words"),
    service.clock.now(),
  );
  expect(person).toBeDefined();
  expect(await wordsFor("platform=tiktok&query=other")).toEqual(["words"]);
  expect(await rest(service.url, "/scripts?platform=vimeo", { key })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("instagram") } },
  });
});

test("a cursor continues the list of the same filters, and no other", async () => {
  const { accountId, key } = await service.createCaller();
  for (let count = 0; count < 3; count += 1) await addScript(accountId, "es", 31);
  await addScript(accountId, "es", 20);
  const list = (query: string) => rest(service.url, `/scripts?limit=2&${query}`, { key });
  const first = (await list("language=es&length=30to60s")).body;
  expect(first).toMatchObject({ total: 3, scripts: [{}, {}] });
  const second = (await list(`language=es&length=30to60s&cursor=${first.nextCursor}`)).body;
  expect(second).toMatchObject({ total: 3, scripts: [{ language: "es" }] });
  for (const other of ["language=es", "length=30to60s", "language=en&length=30to60s", ""])
    expect(await list(`${other}&cursor=${first.nextCursor}`), other).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("`cursor`") } },
    });
});

test("people see their own library's number of scripts per kind", async () => {
  const person = await signIn(service, { email: "kinds@example.com" });
  const stranger = await signIn(service, { email: "other-kinds@example.com" });
  expect((await person.api("countScriptKinds")).body).toEqual({ platforms: [], languages: [], lengths: [] });
  for (const [language, seconds] of [
    ["en", 10],
    ["hi", 70],
    ["hi", 71],
  ] as const)
    await addScript(person.accountId, language, seconds);
  await addScript(stranger.accountId, "de", 10);
  expect((await person.api("countScriptKinds")).body).toEqual({
    platforms: [{ platform: "standin", scripts: 3 }],
    languages: [
      { language: "hi", scripts: 2 },
      { language: "en", scripts: 1 },
    ],
    lengths: [
      { length: "under30s", scripts: 1 },
      { length: "1to3min", scripts: 2 },
    ],
  });
});

test("a corrected script keeps its language and length", async () => {
  const person = await signIn(service, { email: "corrected-kinds@example.com" });
  await addScript(person.accountId, "it", 61);
  const list = async (input: Readonly<Record<string, unknown>>) => (await person.api("searchMyScripts", input)).body;
  const { id } = (await list({ language: "it" })).scripts[0];
  const { version } = (await person.api("getScriptCorrection", { id })).body;
  const corrected = await person.api("correctScript", { id, ifVersion: version, texts: ["the other words"] });
  expect(corrected.status, JSON.stringify(corrected.body)).toBe(200);
  expect(await list({ language: "it", length: "1to3min", query: "other words" })).toMatchObject({ total: 1 });
  expect(await list({ language: "en" })).toMatchObject({ total: 0 });
  expect((await person.api("countScriptKinds")).body.languages).toEqual([{ language: "it", scripts: 1 }]);
});

/** Scripts of reels that were posted a day apart and transcribed an hour apart; the likes fall where the days rise. */
async function aLibrary(count: number) {
  const caller = await service.createCaller({ plan: "creator" });
  for (let index = 0; index < count; index += 1) {
    const now = new Date(Date.UTC(2026, 1, 1, index));
    const address = aReel();
    const text = index === 1 ? '=HYPERLINK("https://evil.example")' : `hook number ${index}, "quoted"`;
    await transcribe(service.store, caller.accountId, { text, likes: 1_000 - index }, now, {
      address,
      reel: {
        ...transcriptOf(address, { text, likes: index === 2 ? null : 1_000 - index }).reel,
        postedAt: index === 3 ? null : new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
      },
    });
  }
  const list = async (query: string) => {
    const { status, body } = await rest(service.url, `/scripts?${query}`, { key: caller.key });
    expect(status, JSON.stringify(body)).toBe(200);
    return body as {
      total: number;
      nextCursor?: string;
      scripts: { id: string; transcript: string; tags?: string[] }[];
    };
  };
  const { scripts } = await service.store.scripts.search(caller.accountId, { sort: "date", limit: count });
  return { ...caller, list, ids: scripts.map(({ id }) => id).toReversed() };
}

test("lists filter by dates, sort by likes and posting, unknown last", async () => {
  const { list, ids } = await aLibrary(5);
  const indicesFor = async (query: string) => (await list(query)).scripts.map(({ id }) => ids.indexOf(id));
  expect(await indicesFor("postedAfter=2026-01-02&postedBefore=2026-01-05")).toEqual([2, 1]);
  expect(await indicesFor("postedAfter=2026-01-05T00:00:00%2B00:00")).toEqual([4]);
  expect(await indicesFor("transcribedAfter=2026-02-01T01:00:00Z&transcribedBefore=2026-02-01T03:00:00Z")).toEqual([
    2, 1,
  ]);
  expect(await indicesFor("sort=likes")).toEqual([0, 1, 3, 4, 2]);
  expect(await indicesFor("sort=posted")).toEqual([4, 2, 1, 0, 3]);
  expect(await indicesFor("sort=posted&query=hook&postedBefore=2026-01-03")).toEqual([0]);
  for (const sort of ["likes", "posted"]) {
    const seen: number[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const page = await list(`sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.total).toBe(5);
      seen.push(...page.scripts.map(({ id }) => ids.indexOf(id)));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(await indicesFor(`sort=${sort}`));
  }
});

test("dates, tags and what doesn't go together are refused by name", async () => {
  const { key, ids } = await aLibrary(1);
  for (const [query, field] of [
    ["postedAfter=yesterday", "postedAfter"],
    ["postedBefore=2026-02-30", "postedBefore"],
    ["transcribedAfter=2026-13-01T00:00:00Z", "transcribedAfter"],
    ["tag=%00", "tag"],
    ["deleted=true&query=hook", "query"],
    ["deleted=true&sort=likes", "sort"],
    ["format=csv&ids=scr_1", "ids"],
    ["ids=scr_1&tag=hooks", "tag"],
    ["ids=scr_1&query=hook", "query"],
    ["ids=scr_1&url=https://www.instagram.com/reel/DLlGZiCOBQ0/", "ids"],
    ["url=https://www.instagram.com/reel/DLlGZiCOBQ0/&language=en", "language"],
  ] as const)
    expect(await rest(service.url, `/scripts?${query}`, { key }), query).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(`\`${field}\``) } },
    });
  for (const tags of [
    ["a\nb"],
    ["\u202Eevil"],
    [" "],
    ["\u200D"],
    ["x".repeat(41)],
    ["👩‍👩‍👧‍👦".repeat(41)],
    [`a${"\u0301".repeat(700)}`],
    Array.from({ length: 21 }, String),
  ])
    expect(
      (await rest(service.url, `/scripts/${ids[0]}`, { key, method: "PATCH", body: { tags } })).status,
      JSON.stringify(tags),
    ).toBe(400);
});

test("all matches come as one table despite the limit, formulas as text", async () => {
  const { accountId, key, ids } = await aLibrary(120);
  await service.store.tags.set(accountId, ids[1]!, ["Hooks", "Été"], 20);
  await service.store.deletedScripts.delete(accountId, [ids[0]!], service.clock.now());
  const read = async (query: string) => {
    const response = await fetch(`${service.url}/api/v1/scripts?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="scripts.csv"');
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  };
  const file = await read("format=csv&limit=2&sort=likes");
  const lines = file.split("\r\n");
  expect(lines).toHaveLength(1 + 119 + 1);
  expect(lines[0]).toBe(
    "\uFEFFurl,platform,account,language,posted_at,views,likes,comments,engagement_rate_percent,tags,caption,transcript,hook,translation,id",
  );
  expect(lines[1]).toMatch(/,999,,,"?Hooks; Été"?,,"'=HYPERLINK\(""https/);
  expect(lines[2]).toContain('"hook number 3, ""quoted"""');
  expect(lines[2], "columns of later versions come last").toMatch(
    /,(?:hook number 3[^,]*|"hook number 3, ""quoted"""),,scr_\w+$/,
  );
  expect((await read("format=csv&tag=hooks")).split("\r\n")).toHaveLength(3);
});

test("an account has one export at once, and delays nobody else", async () => {
  const { accountId, key } = await aLibrary(1);
  const text = "The dough rests. ".repeat(5_800);
  for (let count = 0; count < 120; count += 1) await transcribe(service.store, accountId, { text });
  const slow = await fetch(`${service.url}/api/v1/scripts?format=csv`, { headers: { authorization: `Bearer ${key}` } });
  const reader = slow.body!.getReader();
  await reader.read();
  const second = await rest(service.url, "/scripts?format=csv", { key });
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, "30"]);
  const other = await aLibrary(1);
  const theirs = await fetch(`${service.url}/api/v1/scripts?format=csv`, {
    headers: { authorization: `Bearer ${other.key}` },
  });
  expect([theirs.status, (await theirs.text()).split("\r\n").length]).toEqual([200, 3]);
  await reader.cancel();
  await expect
    .poll(async () => {
      const response = await fetch(`${service.url}/api/v1/scripts?format=csv&tag=none`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await response.text();
      return response.status;
    })
    .toBe(200);
});

test("an agent tags, deletes and restores one script, and links a table", async () => {
  const { key, ids } = await aLibrary(3);
  const { call, close } = await connectAgent(service.url, key);
  const id = ids[0]!;
  expect((await call("update_script", { id, tags: ["Hooks"] })).data).toEqual({ id, tags: ["Hooks"] });
  expect((await call("list_my_scripts", { tag: "hooks" })).text).toMatch(/tags: Hooks/);
  expect((await call("update_script", { id, deleted: true })).text).toMatch(/deleted.*30 days/);
  expect((await call("list_my_scripts")).data.total).toBe(2);
  const deleted = await call("list_my_scripts", { deleted: true });
  expect(deleted.data).toMatchObject({ total: 1, scripts: [{ id, tags: ["Hooks"] }] });
  expect(deleted.text).toMatch(/can be restored until 20/);
  expect((await call("update_script", { id, deleted: false })).text).toMatch(/back/);
  expect((await call("update_script", { id, deleted: false })).text).toMatch(/^\[notFound\]/);
  for (const wrong of [{ id }, { id, tags: [], deleted: true }])
    expect((await call("update_script", wrong)).text).toMatch(/^\[invalidRequest\].*needs either `add`/);

  const { data, text } = await call("search_my_scripts", { query: "hook", csv: true });
  expect(text).toContain(data.url);
  expect(data).toMatchObject({ total: 2, url: expect.stringMatching(/\/exports\/[0-9A-Za-z]{43}$/) });
  const open = () => fetch(data.url);
  const file = await open();
  expect([file.status, file.headers.get("content-type"), file.headers.get("cache-control")]).toEqual([
    200,
    "text/csv; charset=utf-8",
    "no-store",
  ]);
  expect((await file.text()).split("\r\n")).toHaveLength(4);
  service.clock.advance(9 * 60_000);
  expect((await (await open()).text()).split("\r\n")).toHaveLength(4);
  service.clock.advance(2 * 60_000);
  expect((await open()).status).toBe(404);
  expect((await fetch(`${service.url}/exports/nothing`)).status).toBe(404);
  await close();
});
