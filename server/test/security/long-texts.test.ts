import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectMcp } from "../harness/connect-mcp.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { signIn } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

/** What a correction may have at most, and a little less, so that a word fits beside it. */
const [short, long] = [10_000, 99_000];
/** Processor time that a hostile text may take, as a multiple of what ordinary words of the same length take. */
const mostTimes = 4;
/** Below this, in milliseconds, nobody is kept waiting whatever the ratio. */
const unnoticed = 300;

const ordinary = "The dough rests for an hour, then we shape it and bake the bread until it is brown. ";
const kinds = {
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

const transcriber = createScriptedTranscriber();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    transcriber,
    rateLimits: { default: 10_000, transcribe: 1_000, bioWrite: 20, address: 10_000 },
  });
});
afterAll(() => service.close());

let people = 0;
/** Somebody with a key, and scripts that were corrected to the texts. */
async function aPersonWith(texts: readonly string[]) {
  const person = await signIn(service, { email: `long${(people += 1)}@example.com` });
  const key: string = (await person.api("createKey", { name: "test" })).body.secret;
  for (const text of texts) {
    const url = service.standin.urlOf(service.standin.addReel({ bytes: Buffer.from("not looked at") }).code);
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

/** Milliseconds of processor time that all of this process takes. */
async function effort(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function everyDoor(text: string): Promise<Record<string, number>> {
  const spent: Record<string, number> = {};
  let made: Awaited<ReturnType<typeof aPersonWith>> | undefined;
  spent["correct"] = await effort(async () => (made = await aPersonWith([`bread ${text}`])));
  const { person, key, ids } = made!;
  const [id] = ids;
  const headers = { authorization: `Bearer ${key}` };
  const read = async (path: string, init: RequestInit = { headers }) => {
    const answer = await fetch(service.url + path, init);
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
  for (const path of ["", "/text", "/subtitles?format=srt", "/subtitles?format=vtt", "?format=srt"])
    spent[path] = await effort(() => read(`/api/v1/scripts/${id}${path}`));
  const query = encodeURIComponent(`bread ${Array.from(text).slice(0, 2).join("")}`);
  spent["search"] = await effort(() => read(`/api/v1/scripts?query=${query}`));
  spent["export"] = await effort(() => person.api("exportAccount"));
  const { url } = (await person.api("createShareLink", { id: id! })).body.link;
  spent["share"] = await effort(() => read(new URL(url).pathname, {}));
  const agent = await connectMcp(service.url, "modern", key);
  spent["agent"] = await effort(() => agent.callTool({ name: "list_my_scripts", arguments: { ids: [id] } }));
  await agent.close();
  return spent;
}

describe("a text of any kind takes about the work of ordinary words", () => {
  const usual: Record<number, Record<string, number>> = {};
  beforeAll(async () => {
    // The first round warms up.
    await everyDoor(textOf(ordinary, short));
    for (const length of [short, long]) usual[length] = await everyDoor(textOf(ordinary, length));
  }, 240_000);

  describe.each(Object.entries(kinds))("%s", (_, unit) => {
    test.each([short, long])("%i characters", { timeout: 240_000 }, async (length) => {
      const spent = await everyDoor(textOf(unit, length));
      for (const [door, milliseconds] of Object.entries(spent))
        expect(milliseconds, door).toBeLessThan(unnoticed + mostTimes * usual[length]![door]!);
    });
  });
});

test("a search over many long texts takes about the work of one over ordinary ones", { timeout: 240_000 }, async () => {
  const search = async (unit: string, query: string) => {
    const { key } = await aPersonWith(Array.from({ length: 8 }, (_, index) => `${index} ${textOf(unit, long)}`));
    return effort(async () => {
      const { body } = await rest(service.url, `/scripts?query=${encodeURIComponent(query)}&limit=50`, { key });
      expect(body.total).toBe(8);
      expect(body.scripts[0].snippet).toContainEqual({ text: expect.any(String), hit: true });
    });
  };
  const usual = await search(ordinary, "bread");
  expect(await search("漢", "漢漢")).toBeLessThan(1_000 + mostTimes * usual);
});

test("what is longer than the door takes is refused without looking at it", async () => {
  const { person, ids } = await aPersonWith(["bread"]);
  const [id] = ids;
  const { version } = (await person.api("getScriptCorrection", { id: id! })).body;
  for (const unit of Object.values(kinds)) {
    const texts = [textOf(unit, Math.floor(950_000 / Buffer.byteLength(unit)) * unit.length)];
    expect([400, 413]).toContain((await person.api("correctScript", { id: id!, ifVersion: version, texts })).status);
  }
});

test("nothing went wrong on our side", () => expect(service.faults.map(({ error }) => String(error))).toEqual([]));
