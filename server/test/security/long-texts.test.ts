import { usualRules } from "@reelscript/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobs } from "../../src/threads/jobs.ts";
import { connectMcp } from "../harness/connect-mcp.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

/** The long one is a little below the limit of a correction, so that a word fits beside it. */
const short = 10_000;
const long = 99_000;
/** How often a door may look at each character of a text. */
const mostLooks = 70;
/** A door may look at this many characters besides: pieces of a text for a snippet, and whatever every call needs. */
const besides = 4_000_000;
/** The segmenter's work grows with the square of what it gets at a time. */
const mostSegmented = 1_100;

const kinds = {
  "ordinary words": "The dough rests for an hour, then we shape it and bake the bread until it is brown. ",
  "one word": "漢",
  quotes: '"',
  "combining marks": "\u0323\u0301",
  emoji: "👨‍👩‍👧‍👦",
  "right to left": "مرحبا",
  ligatures: "ﷺ",
  "no spaces": "今天我们去北京看长城然后吃烤鸭喝茶東京都に住んでいますสวัสดีครับ",
  mixed: "今日は「天気」がいい。สวัสดี 👨‍👩‍👧‍👦 مرحبا بك, hello! e\u0301\u0323 ",
};
const textOf = (unit: string, length: number): string =>
  unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, "");

const recognizer = { model: "whisper-base", revision: 1 };
const transcriber = createScriptedTranscriber();
const service = serviceOfTests({
  transcriber,
  rateLimits: { transcribe: 1_000, address: 10_000 },
});

/** Somebody with a key, and scripts that were corrected to the texts. */
async function aPersonWith(texts: readonly string[]) {
  const person = await signInNew(service);
  const key: string = (await person.api("createKey", { name: "test" })).body.secret;
  for (const text of texts) {
    const url = service.newReel();
    transcriber.tell({ text: "Salt comes first." });
    expect((await transcribe(service.url, key, url)).status).toBe(200);
    const { id } = (await rest(service.url, "/scripts?limit=1", { key })).body.scripts[0];
    const { version } = (await person.api("getScriptCorrection", { id })).body;
    const corrected = await person.api("correctScript", { id, ifVersion: version, texts: [text] });
    expect(corrected.status).toBe(200);
  }
  const { body } = await rest(service.url, "/scripts?limit=50", { key });
  return { person, key, ids: body.scripts.map(({ id }: { id: string }) => id) as string[] };
}

let looks = 0;
let longestSegmented = 0;
// oxlint-disable-next-line typescript/unbound-method -- they are called with their own `this` below
const { exec } = RegExp.prototype;
// oxlint-disable-next-line typescript/unbound-method -- as above
const { segment } = Intl.Segmenter.prototype;
/** Counts the characters that regular expressions and segmenters pass over in this process. */
beforeAll(() => {
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const until = match === null ? String(text).length : match.index + match[0].length;
    looks += match === null && this.sticky ? 1 : Math.max(0, until - from);
    return match;
  };
  Intl.Segmenter.prototype.segment = function (text) {
    looks += text.length;
    longestSegmented = Math.max(longestSegmented, text.length);
    return segment.call(this, text);
  };
});
afterAll(() => {
  RegExp.prototype.exec = exec;
  Intl.Segmenter.prototype.segment = segment;
});

/** How many characters were passed over. */
async function looksOf(work: () => Promise<unknown>): Promise<number> {
  const before = looks;
  await work();
  return looks - before;
}

async function everyDoor(text: string): Promise<Record<string, number>> {
  const spent: Record<string, number> = {};
  let newcomer: Awaited<ReturnType<typeof aPersonWith>> | undefined;
  spent["correct"] = await looksOf(async () => (newcomer = await aPersonWith([`bread ${text}`])));
  const { person, key, ids } = newcomer!;
  const [id] = ids;
  const headers = { authorization: `Bearer ${key}` };
  const read = async (path: string, init: RequestInit = { headers }) => {
    const answer = await fetch(service.url + path, init);
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
  for (const path of ["", "/text", "/subtitles?format=srt", "/subtitles?format=vtt", "?format=srt"])
    spent[path] = await looksOf(() => read(`/api/v1/scripts/${id}${path}`));
  // Long texts are looked at in a thread, which has its own expressions; here the same is done where they are counted.
  const script = (await service.store.scripts.findUnread(person.accountId, id!, { words: true }))!;
  const untranslated = { script, translated: {}, text: "transcript" } as const;
  for (const format of ["srt", "vtt", "vtt-words", "ass"] as const)
    spent[format] = await looksOf(async () => jobs.makeSubtitles({ ...untranslated, format, rules: usualRules }));
  const fewWords = { lineLength: 80, lines: 3, words: 3, shortest: 200, longest: 2_000 };
  spent["few words"] = await looksOf(async () =>
    jobs.makeSubtitles({ ...untranslated, format: "ass", rules: fewWords }),
  );
  for (const form of [undefined, "srt"])
    spent[`script ${form}`] = await looksOf(async () =>
      jobs.writeScript({ script, recognizer, keptFile: undefined, translated: {}, form }),
    );
  spent["exported"] = await looksOf(async () => jobs.writeScripts([{ script, translation: undefined }]));
  const query = encodeURIComponent(`bread ${Array.from(text).slice(0, 2).join("")}`);
  spent["search"] = await looksOf(() => read(`/api/v1/scripts?query=${query}`));
  spent["export"] = await looksOf(() => person.api("exportAccount"));
  const { url } = (await person.api("createShareLink", { id: id! })).body.link;
  spent["share"] = await looksOf(() => read(new URL(url).pathname, {}));
  const agent = await connectMcp(service.url, "modern", key);
  spent["agent"] = await looksOf(() => agent.callTool({ name: "list_my_scripts", arguments: { ids: [id] } }));
  await agent.close();
  return spent;
}

describe.each(Object.entries(kinds))("a text of %s", (_, unit) => {
  test.each([short, long])("of %i characters is looked at a bounded number of times", async (length) => {
    longestSegmented = 0;
    const spent = await everyDoor(textOf(unit, length));
    for (const [door, count] of Object.entries(spent)) expect(count, door).toBeLessThan(besides + mostLooks * length);
    expect(longestSegmented).toBeLessThan(mostSegmented);
  });
});

test("a search over many long texts reads each within a bound", async () => {
  const { key } = await aPersonWith(Array.from({ length: 8 }, (_, index) => `${index} ${textOf("漢", long)}`));
  const spent = await looksOf(async () => {
    const { body } = await rest(service.url, `/scripts?query=${encodeURIComponent("漢漢")}&limit=50`, { key });
    expect(body.total).toBe(8);
    expect(body.scripts[0].snippet).toContainEqual({ text: expect.any(String), hit: true });
  });
  expect(spent).toBeLessThan(besides + 8 * mostLooks * long);
});

test("of what is heard, no more is kept than can be corrected", async () => {
  const { key } = await service.createCaller();
  for (const unit of Object.values(kinds)) {
    const text = textOf(unit, 950_000);
    const first = text.slice(0, 400_000);
    const second = text.slice(400_000);
    transcriber.tell({
      text: `${first} ${second}`,
      segments: [first, second].map((each, index) => ({ start: index, end: index + 1, text: each })),
    });
    const url = service.newReel();
    const { status, body } = await transcribe(service.url, key, url);
    expect([status, body.truncated]).toEqual([200, true]);
    expect(body.transcript.length).toBeGreaterThan(99_980);
    expect(body.transcript.length).toBeLessThanOrEqual(100_000);
    expect(text.startsWith(body.transcript)).toBe(true);
    expect(body.transcript).toBe(body.transcript.toWellFormed());
  }
});

test("texts above the door's limit are refused unread", async () => {
  const { person, ids } = await aPersonWith(["bread"]);
  const [id] = ids;
  const { version } = (await person.api("getScriptCorrection", { id: id! })).body;
  for (const unit of Object.values(kinds)) {
    const texts = [textOf(unit, Math.floor(950_000 / Buffer.byteLength(unit)) * unit.length)];
    expect([400, 413]).toContain((await person.api("correctScript", { id: id!, ifVersion: version, texts })).status);
  }
});

describe("a caption", () => {
  const added = (reel: Omit<Parameters<typeof service.standin.addReel>[0], "bytes">): string => service.newReel(reel);
  const family = kinds.emoji;
  const resolve = async (key: string, url: string) =>
    (await rest(service.url, `/reels/resolve?url=${encodeURIComponent(url)}`, { key })).body;

  test("without a space is cut before processing, and found by its words", async () => {
    const { key } = await service.createCaller();
    const caption = textOf(kinds["no spaces"], 60_000);
    transcriber.tell({});
    longestSegmented = 0;
    expect((await transcribe(service.url, key, added({ caption }))).status).toBe(200);
    expect(longestSegmented).toBeLessThan(mostSegmented);
    expect((await rest(service.url, "/scripts?query=长城", { key })).body.total).toBe(1);
    const script = (await rest(service.url, "/scripts", { key })).body.scripts[0];
    expect(caption.startsWith(script.caption)).toBe(true);
    expect(script.caption).toHaveLength(10_000);
  });

  test("is cut between characters as readers see them", async () => {
    const { key } = await service.createCaller();
    const body = await resolve(key, added({ caption: `x${family.repeat(2_000)}`, fullName: family.repeat(500) }));
    expect(body.caption).toBe(`x${family.repeat(Math.floor(9_999 / family.length))}`);
    expect(body.author.displayName).toBe(family.repeat(Math.floor(200 / family.length)));
  });

  test("that was piled up to have no end is cut, too", async () => {
    const { key } = await service.createCaller();
    const url = added({ caption: `e${"\u0301".repeat(200_000)}`, handle: "a".repeat(50_000) });
    const body = await resolve(key, url);
    expect(body.caption.length).toBeLessThanOrEqual(10_000);
    expect(body.author.handle).toBeNull();
    transcriber.tell({});
    expect((await transcribe(service.url, key, url)).status).toBe(200);
  });
});
