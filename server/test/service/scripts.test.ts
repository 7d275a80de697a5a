import { createClient } from "@reelscript/client";
import { describe, expect, test } from "vitest";
import { transcribe, transcriptOf } from "../database/conformance/fixtures.ts";
import type { NewTranscript } from "../../src/ports.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

const segments = [
  { start: 0, end: 2.25, text: "Salt & pepper, <mark>." },
  { start: 2.5, end: 4, text: "El corazón de la mañana." },
  { start: 4.125, end: 6, text: "ज़िंदगी में मेहनत करो।" },
];

/** A script in the library of an account, as the worker would put it there. */
async function addScript(accountId: string, code: string, changes: Partial<NewTranscript> = {}) {
  const { store, clock } = service;
  const url = `https://reels.example/reel/${code}/?x=1`;
  const address = { platform: "standin", mediaId: `${code}-${accountId}`, shortcode: code, url };
  const text = segments.map((segment) => segment.text).join(" ");
  const said = { text, caption: "A caption: the morning hook", handle: "cook.daily", views: 10, likes: 1, comments: 1 };
  const { transcript } = await transcribe(store, accountId, said, clock.now(), { address, segments, ...changes });
  return { transcript, id: (await store.scripts.search(accountId, { sort: "date", limit: 1 })).scripts[0]!.id };
}

const fileOf = async (key: string, id: string, format: string) => {
  const response = await fetch(`${service.url}/api/v1/scripts/${id}?format=${format}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    disposition: response.headers.get("content-disposition"),
    text: await response.text(),
  };
};

describe("one script", () => {
  test("comes whole, with its times and how it was made", async () => {
    const { accountId, key } = await service.createCaller();
    const { id, transcript } = await addScript(accountId, "DLlGZiCOBQ0");
    const listEntry = (await rest(service.url, "/scripts", { key })).body.scripts[0];
    const expected = {
      ...listEntry,
      segments,
      receipt: {
        model: "whisper-base",
        languageProbability: 0.875,
        speechSeconds: 10.25,
        audioSeconds: 12.5,
        cut: false,
      },
    };
    for (const query of ["", "?format=json", "?words=false"])
      expect(await rest(service.url, `/scripts/${id}${query}`, { key })).toMatchObject({ status: 200, body: expected });
    expect(listEntry.transcript).toBe(transcript.text);
  });

  test("isn't truncated like the list, and says if audio was cut", async () => {
    const { accountId, key } = await service.createCaller();
    const text = "word ".repeat(4_000).trim();
    const long = { text, segments: [{ start: 0, end: 900, text }], languageProbability: null };
    const whole = await addScript(accountId, "Long", long);
    const cut = await addScript(accountId, "Cut", { ...long, truncated: true });
    const { body } = await rest(service.url, "/scripts", { key });
    expect(body.scripts.map((script: { truncated?: true }) => script.truncated)).toEqual([true, true]);
    const script = (await rest(service.url, `/scripts/${whole.id}`, { key })).body;
    expect(script).toMatchObject({ transcript: text, receipt: { cut: false, languageProbability: null } });
    expect(script).not.toHaveProperty("truncated");
    expect((await rest(service.url, `/scripts/${cut.id}`, { key })).body).toMatchObject({
      transcript: text,
      truncated: true,
      receipt: { cut: true },
    });
  });

  test("has separate paths for text and subtitles, equal to its forms", async () => {
    const { accountId, key } = await service.createCaller();
    const { id, transcript } = await addScript(accountId, "OwnPaths");
    expect((await rest(service.url, `/scripts/${id}/text`, { key })).body).toBe(transcript.text);
    for (const format of ["srt", "vtt", "vtt-words"]) {
      const { body, headers } = await rest(service.url, `/scripts/${id}/subtitles?format=${format}`, { key });
      const form = await fileOf(key, id, format);
      expect([body, headers.get("content-type")]).toEqual([form.text, form.type]);
    }
    const client = createClient({ baseUrl: service.url, apiKey: key });
    expect(await client.getScriptText({ id })).toEqual({ text: transcript.text });
    expect((await client.getScriptSubtitles({ id })).text).toContain("00:00:02,500 --> ");
    await expect(client.getScriptText({ id: "scr_nobodys" })).rejects.toMatchObject({ code: "notFound" });
  });

  test("has subtitles by rule, for programs and agents", async () => {
    const { accountId, key } = await service.createCaller();
    const text =
      "Salt comes first of all, then the flour and the water, and after an hour we shape it and bake it hot.";
    const { id } = await addScript(accountId, "Ruled", { text, segments: [{ start: 0, end: 9, text }] });
    const linesOf = (file: string): string[] => file.split("\n").filter((line) => /^[A-Za-z]/.test(line));
    const path = `/scripts/${id}/subtitles?format=srt`;
    const [usual, short] = await Promise.all(
      ["", "&maxLineLength=32&maxLines=1"].map(async (rule) => (await rest(service.url, path + rule, { key })).body),
    );
    expect(Math.max(...linesOf(usual).map(({ length }) => length))).toBeGreaterThan(32);
    expect(Math.max(...linesOf(short).map(({ length }) => length))).toBeLessThanOrEqual(32);
    expect(linesOf(short).join(" ")).toBe(text);
    const { call, close } = await connectAgent(service.url, key);
    const rule = { subtitles: "srt", maxLineLength: 32, maxLines: 1 };
    expect((await call("list_my_scripts", { ids: [id], ...rule })).text).toBe(short);
    expect((await call("list_my_scripts", { maxLineLength: 32 })).text).toMatch(/^\[invalidRequest\].*subtitles/);
    await close();
    for (const wrong of [
      "maxLineLength=19",
      "maxLineLength=81",
      "maxLines=0",
      "maxLines=4",
      "maxWords=4",
      "minSeconds=0.1",
      "maxSeconds=1",
      "maxLineLenght=32",
    ])
      expect((await rest(service.url, `${path}&${wrong}`, { key })).status, wrong).toBe(400);
  });

  test("has subtitles of single words in every format, with their reading speed", async () => {
    const { accountId, key } = await service.createCaller();
    const said = ["Salt", " comes", " first."];
    const words = said.map((text, index) => ({ start: index, end: index + 0.9, text }));
    const text = said.join("");
    const { id } = await addScript(accountId, "Single", { text, segments: [{ start: 0, end: 3, text }], words });
    const fileAt = async (rule: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${service.url}/api/v1/scripts/${id}/subtitles?${rule}`, { headers });
      return { text: await response.text(), type: response.headers.get("content-type"), headers: response.headers };
    };
    const srt = await fileAt("format=srt&maxWords=1");
    expect(srt.text).toBe(
      "1\n00:00:00,000 --> 00:00:01,000\nSalt\n\n2\n00:00:01,000 --> 00:00:02,000\ncomes\n\n3\n00:00:02,000 --> 00:00:02,900\nfirst.\n",
    );
    expect(srt.headers.get("reading-speed")).toBe("average=5.2, fastest=6.7");
    expect((await fileAt("format=vtt&maxWords=2")).text.match(/-->/g)).toHaveLength(2);
    const ass = await fileAt("format=ass&maxWords=1");
    expect(ass.type).toBe("text/x-ssa; charset=utf-8");
    expect(ass.text.match(/^Dialogue: .*$/gm)).toEqual([
      "Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,Salt",
      "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,comes",
      "Dialogue: 0,0:00:02.00,0:00:02.90,Default,,0,0,0,,first.",
    ]);
    const client = createClient({ baseUrl: service.url, apiKey: key });
    expect(await client.getScriptSubtitles({ id, format: "ass", maxWords: 1 })).toEqual({
      text: ass.text,
      readingSpeed: { average: 5.2, fastest: 6.7 },
    });
    const { call, close } = await connectAgent(service.url, key);
    const { text: asText, data } = await call("list_my_scripts", { ids: [id], subtitles: "ass", maxWords: 1 });
    expect(asText).toBe(ass.text);
    expect(data.readingSpeed).toEqual({ average: 5.2, fastest: 6.7 });
    expect((await call("list_my_scripts", { ids: [id], maxWords: 1 })).text).toMatch(/^\[invalidRequest\].*subtitles/);
    await close();
  });

  test("is a file of text or subtitles for who asks for it", async () => {
    const { accountId, key } = await service.createCaller();
    const { id, transcript } = await addScript(accountId, "DLlGZiCOBQ0");
    expect(await fileOf(key, id, "txt")).toEqual({
      status: 200,
      type: "text/plain; charset=utf-8",
      disposition: 'attachment; filename="cook.daily-DLlGZiCOBQ0.en.txt"',
      text: transcript.text,
    });
    expect(await fileOf(key, id, "srt")).toEqual({
      status: 200,
      type: "application/x-subrip; charset=utf-8",
      disposition: 'attachment; filename="cook.daily-DLlGZiCOBQ0.en.srt"',
      text: "1\n00:00:00,000 --> 00:00:02,250\nSalt & pepper, ‹mark>.\n\n2\n00:00:02,500 --> 00:00:04,000\nEl corazón de la mañana.\n\n3\n00:00:04,125 --> 00:00:06,000\nज़िंदगी में मेहनत करो।\n",
    });
    expect(await fileOf(key, id, "vtt")).toEqual({
      status: 200,
      type: "text/vtt; charset=utf-8",
      disposition: 'attachment; filename="cook.daily-DLlGZiCOBQ0.en.vtt"',
      text: "WEBVTT\n\n00:00:00.000 --> 00:00:02.250\nSalt &amp; pepper, &lt;mark&gt;.\n\n00:00:02.500 --> 00:00:04.000\nEl corazón de la mañana.\n\n00:00:04.125 --> 00:00:06.000\nज़िंदगी में मेहनत करो।\n",
    });
  });

  test("gives its file a name that is safe in headers and folders", async () => {
    const { accountId, key } = await service.createCaller();
    const { reel } = transcriptOf({ platform: "standin", mediaId: "x", shortcode: "x", url: "https://x.example/" });
    const strange = await addScript(accountId, "Strange", {
      reel: {
        ...reel,
        url: 'https://reels.example/reel/..%2F"é;\u202e/',
        author: { handle: '../"é\r\n;', displayName: null, verified: null },
      },
      language: "und",
    });
    expect((await fileOf(key, strange.id, "txt")).disposition).toMatch(/^attachment; filename="_[\w.%-]+\.txt"$/);
  });

  test("without times is shown throughout, without speech it is empty", async () => {
    const { accountId, key } = await service.createCaller();
    const untimed = await addScript(accountId, "Untimed", { segments: [] });
    expect((await fileOf(key, untimed.id, "vtt")).text).toBe(
      "WEBVTT\n\n00:00:00.000 --> 00:00:12.500\nSalt &amp; pepper, &lt;mark&gt;.\nEl corazón de la mañana. ज़िंदगी में मेहनत करो।\n",
    );
    const silent = await addScript(accountId, "Silent", { segments: [], text: "", language: "und" });
    expect(await fileOf(key, silent.id, "srt")).toMatchObject({ status: 200, text: "" });
    expect((await fileOf(key, silent.id, "vtt")).text).toBe("WEBVTT\n");
  });

  test("is nobody else's, and there is no other format", async () => {
    const [owner, stranger] = await Promise.all([service.createCaller(), service.createCaller()]);
    const { id } = await addScript(owner.accountId, "Mine");
    for (const format of ["json", "txt", "srt", "vtt"])
      for (const [key, one] of [
        [stranger.key, id],
        [owner.key, "scr_0000000000000000"],
        [owner.key, "%00"],
      ] as const)
        expect(await rest(service.url, `/scripts/${one}?format=${format}`, { key })).toMatchObject({
          status: 404,
          body: { error: { code: "notFound" } },
        });
    for (const query of ["format=pdf", "format=", "format=constructor", "format=txt&format=srt", "format=SRT"])
      expect(await rest(service.url, `/scripts/${id}?${query}`, { key: owner.key }), query).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining("`format`") } },
      });
    expect((await rest(service.url, `/scripts/${id}?format=pdf`)).status, "access comes first").toBe(401);
  });
});

describe("what a search found", () => {
  test("is shown, with the second at which it is said", async () => {
    const { accountId, key } = await service.createCaller();
    await addScript(accountId, "One");
    const find = async (query: string) =>
      (await rest(service.url, `/scripts?${new URLSearchParams({ query })}`, { key })).body.scripts[0];
    const marked = (script: { snippet: { text: string; hit: boolean }[] }) =>
      script.snippet.filter(({ hit }) => hit).map(({ text }) => text);

    const spanish = await find("CORAZON");
    expect([marked(spanish), spanish.at]).toEqual([["corazón"], 2.5]);
    expect(spanish.snippet.map(({ text }: { text: string }) => text).join("")).toBe(spanish.transcript);
    const hindi = await find('"मेहनत करो"');
    expect([marked(hindi), hindi.at]).toEqual([["मेहनत करो"], 4.125]);
    const first = await find("mark");
    expect([marked(first), first.at]).toEqual([["mark"], 0]);

    const inCaption = await find("hoo");
    expect(marked(inCaption)).toEqual(["hook"]);
    expect(inCaption).not.toHaveProperty("at");
    for (const query of ["", " "]) {
      const script = await find(query);
      expect(script).not.toHaveProperty("snippet");
      expect(script).not.toHaveProperty("at");
    }
  });
});

describe("every hit of a search", () => {
  const words = (text: string) =>
    text.split(/(?= )/u).map((word, index) => ({ text: word, start: index + 0.14, end: index + 1 }));

  test("has its word's second, and other word forms count, too", async () => {
    const { accountId, key } = await service.createCaller();
    const text = "We love what we share here: open source. Landlord, open up! Opened sources.";
    await addScript(accountId, "Timed", { text, words: words(text), segments: [{ start: 0, end: 14, text }] });
    const find = async (query: string) =>
      (await rest(service.url, `/scripts?${new URLSearchParams({ query })}`, { key })).body;
    const quoted = (await find("“open source”")).scripts[0];
    expect(quoted).toMatchObject({ at: 6.14, hits: [{ at: 6.14, text: "open source" }] });
    expect(quoted.atUrl).toMatch(/\?t=6\.14$/);
    expect((await find("open source")).scripts[0].hits).toEqual([
      { at: 6.14, text: "open source" },
      { at: 9.14, text: "open" },
      { at: 11.14, text: "Opened sources" },
    ]);
    expect((await find("landlords")).scripts[0]).toMatchObject({ at: 8.14, hits: [{ at: 8.14, text: "Landlord" }] });
  });

  test("of a long text is listed, up to fifty", async () => {
    const { accountId, key } = await service.createCaller();
    const text = "salt and pepper ".repeat(900).trim();
    await addScript(accountId, "Long", { text, words: words(text), segments: [{ start: 0, end: 2_700, text }] });
    const [{ hits }] = (await rest(service.url, "/scripts?query=salt", { key })).body.scripts;
    expect(hits).toHaveLength(50);
    expect(hits.at(-1)).toEqual({ at: 147.14, text: "salt" });
  });

  test("what of a query isn't searched is named", async () => {
    const { key } = await service.createCaller();
    const read = async (query: string) =>
      (await rest(service.url, `/scripts?${new URLSearchParams({ query })}`, { key })).body;
    expect(await read("?!")).toEqual({ scripts: [], total: 0, ignored: ["?!"] });
    expect(await read("salt — pepper")).toMatchObject({ total: 0, ignored: ["—"] });
    for (const query of ["salt, pepper!", "🔥", "c++", "&"]) expect(await read(query)).not.toHaveProperty("ignored");
  });
});

describe("lists with cursors", () => {
  test("lead through everything once, in every order and with every filter", async () => {
    const { accountId, key } = await service.createCaller();
    for (let index = 0; index < 7; index += 1)
      await transcribe(service.store, accountId, { text: `common ${index}`, views: index % 3, handle: "cook" });
    for (const of of ["", "sort=views", "sort=engagement&query=common", "account=@Cook&query=comm"]) {
      const get = async (more: string) => (await rest(service.url, `/scripts?${of}&${more}`, { key })).body;
      const all = await get("limit=50");
      expect(all).not.toHaveProperty("nextCursor");
      const ids: string[] = [];
      for (let cursor: string | undefined = ""; cursor !== undefined;) {
        const page = await get(`limit=3${cursor && `&cursor=${cursor}`}`);
        expect(page.total).toBe(7);
        ids.push(...page.scripts.map(({ id }: { id: string }) => id));
        cursor = page.nextCursor;
      }
      expect(ids).toEqual(all.scripts.map(({ id }: { id: string }) => id));
    }
  });

  test("refuse cursors of another query, order, list or account, and invalid ones", async () => {
    const [owner, stranger] = await Promise.all([service.createCaller(), service.createCaller()]);
    for (const { accountId } of [owner, owner, stranger, stranger]) await transcribe(service.store, accountId);
    const { nextCursor } = (await rest(service.url, "/scripts?limit=1&query=hello", owner)).body;
    expect(nextCursor).toMatch(/^[\w-]{20,200}$/);
    const go = (path: string, cursor: string, key = owner.key) =>
      rest(service.url, `${path}cursor=${encodeURIComponent(cursor)}`, { key });
    expect((await go("/scripts?query=hello&limit=50&", nextCursor)).status).toBe(200);
    const forgedCursor = `${nextCursor.slice(0, 16)}${Buffer.from("[1e308,1]").toString("base64url")}`;
    for (const refused of [
      go("/scripts?", nextCursor),
      go("/scripts?query=hell&", nextCursor),
      go("/scripts?query=hello&sort=views&", nextCursor),
      go("/scripts?query=hello&account=cook&", nextCursor),
      go("/competitor-reports?", nextCursor),
      go("/scripts?query=hello&", nextCursor, stranger.key),
      ...["", "x", forgedCursor, `${nextCursor}AAAA`, nextCursor.slice(0, -2), "x".repeat(201), "\0"].map((cursor) =>
        go("/scripts?query=hello&", cursor),
      ),
    ])
      expect(await refused).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining("`cursor`") } },
      });
  });
});

describe("resolving a reel", () => {
  test("says whether it is cached and its cost, without adding to libraries", async () => {
    const { accountId, key } = await service.createCaller();
    const reel = service.standin.reels.find(({ kind }) => kind === "speech")!;
    const look = async () =>
      (
        await rest(service.url, `/reels/resolve?${new URLSearchParams({ url: service.standin.urlOf(reel.code) })}`, {
          key,
        })
      ).body;
    const { platform, mediaId, shortcode, url, transcript } = await look();
    expect(transcript).toEqual({ cached: false, cost: 1 });
    const other = await service.createCaller();
    const address = { platform, mediaId, shortcode, url };
    await transcribe(service.store, other.accountId, {}, service.clock.now(), { address });
    expect((await look()).transcript).toEqual({ cached: true, cost: 0 });
    expect((await service.store.scripts.search(accountId, { sort: "date", limit: 1 })).total).toBe(0);
  });
});

test("an agent searches and lists as over REST, page by page", async () => {
  const { accountId, key } = await service.createCaller();
  await addScript(accountId, "One");
  await addScript(accountId, "Two");
  const { call, close } = await connectAgent(service.url, key);
  const { data: first } = await call("search_my_scripts", { query: "corazon", limit: 1 });
  const overRest = (await rest(service.url, "/scripts?query=corazon&limit=1", { key })).body;
  const [{ transcript: _, hits: __, ...script }] = overRest.scripts;
  expect(first).toEqual({ ...overRest, scripts: [script] });
  const { nextCursor: cursor } = first;
  const { data: second } = await call("search_my_scripts", { query: "corazon", limit: 1, cursor });
  expect(second.scripts[0].id).not.toBe(first.scripts[0].id);
  expect(second).not.toHaveProperty("nextCursor");
  expect((await call("list_my_scripts", { limit: 1, cursor })).text).toMatch(/^\[invalidRequest\] `cursor`/);
  await close();
});
