import { beforeEach, describe, expect, test } from "vitest";
import { connectMcp } from "../harness/connect-mcp.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { createScriptedTranscriber, type ScriptedSpeech } from "../harness/scripted-transcriber.ts";
import { type SignedIn, signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const transcriber = createScriptedTranscriber();
const service = serviceOfTests({ transcriber, rateLimits: { transcribe: 100 } });
beforeEach(() => {
  transcriber.revision += 1;
});

const segments = [
  { start: 0, end: 2, text: "Salt comes first." },
  { start: 2.5, end: 5, text: "Then the east rises." },
  { start: 6, end: 8, text: "Slowly." },
];
const text = segments.map((segment) => segment.text).join(" ");
const words = text
  .split(/(?= )/)
  .map((word, index) => ({ start: index, end: index + 0.5, text: word, probability: 0.9 }));
const corrected = ["Salt comes first.", "Then the yeast rises.", "Slowly."];
const correctedText = corrected.join(" ");

/** Somebody with a key whose library has a reel of three segments. */
async function aPerson(speech: ScriptedSpeech = { text, segments, words }) {
  const person = await signInNew(service);
  const key: string = (await person.api("createKey", { name: "test" })).body.secret;
  const url = service.newReel();
  transcriber.tell(speech);
  expect((await transcribe(service.url, key, url)).status).toBe(200);
  const { id } = (await rest(service.url, "/scripts", { key })).body.scripts[0];
  return { person, key, url, id };
}
const find = async (person: SignedIn, id: string) => (await person.api("getScriptCorrection", { id })).body;
async function correct(person: SignedIn, id: string, texts: readonly string[]) {
  const { version } = await find(person, id);
  return person.api("correctScript", { id, ifVersion: version, texts });
}
/** Scripts with these words, not with similar ones. */
const total = async (key: string, query: string): Promise<number> => {
  const { body } = await rest(service.url, `/scripts?query=${encodeURIComponent(query)}`, { key });
  return body.instead === undefined ? body.total : 0;
};
const file = async (key: string, path: string) =>
  (await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).text();

describe("a corrected script", () => {
  test("appears in lists, searches, files and tools; others get the shared transcript", async () => {
    const { person, key, url, id } = await aPerson();
    const other = await aPerson();
    expect((await transcribe(service.url, other.key, url)).status).toBe(200);
    expect(await find(person, id)).toMatchObject({
      correctedAt: null,
      outdated: false,
      segments: [{ original: segments[0]!.text }, {}, {}],
    });
    const saved = await correct(person, id, corrected);
    expect(saved).toMatchObject({
      status: 200,
      body: { segments: [{}, { text: corrected[1], original: segments[1]!.text }, {}] },
    });
    expect(saved.headers.get("etag")).toBe(`"${saved.body.version}"`);

    const script = (await rest(service.url, `/scripts/${id}?words=true`, { key })).body;
    expect(script).toMatchObject({ transcript: correctedText, correctedAt: expect.any(String) });
    expect(script.segments).toEqual([
      segments[0],
      { ...segments[1], text: corrected[1], corrected: true },
      segments[2],
    ]);
    expect(script.words, "the word that somebody wrote has the time of the one it replaces").toEqual(
      words.with(5, { text: " yeast", start: 5, end: 5.5 } as (typeof words)[number]),
    );
    expect((await rest(service.url, "/scripts", { key })).body.scripts[0].transcript).toBe(correctedText);
    expect([await total(key, "yeast"), await total(key, "yea"), await total(key, '"yeast rises"')]).toEqual([1, 1, 1]);
    expect([await total(key, "east"), await total(other.key, "east"), await total(other.key, "yeast")]).toEqual([
      0, 2, 0,
    ]);

    expect(await file(key, `/scripts/${id}/text`)).toBe(correctedText);
    for (const path of [`/scripts/${id}?format=srt`, `/scripts/${id}/subtitles`])
      expect(await file(key, path)).toContain("00:00:03,000 --> 00:00:06,500\nThen the yeast rises.\n");
    const timed = await file(key, `/scripts/${id}/subtitles?format=vtt-words`);
    expect(timed).toContain("Salt <00:00:01.000>comes <00:00:02.000>first.");
    expect(timed).toContain("Then <00:00:04.000>the <00:00:05.000>yeast <00:00:06.000>rises.");

    const agent = await connectMcp(service.url, "modern", key);
    const ask = async (name: string, input: object) =>
      (await agent.callTool({ name, arguments: { ...input } })).structuredContent;
    expect(await ask("list_my_scripts", { ids: [id] })).toMatchObject({ scripts: [{ id, transcript: correctedText }] });
    const hit = expect.arrayContaining([{ text: "yeast", hit: true }]);
    expect(await ask("search_my_scripts", { query: "yeast" })).toMatchObject({ scripts: [{ id, snippet: hit }] });
    const shared = await agent.callTool({ name: "transcribe_reel", arguments: { url } });
    expect(shared.structuredContent).toMatchObject({ transcript: text, cached: true });
    await agent.close();
    expect((await transcribe(service.url, key, url)).body.transcript).toBe(text);
    const exported = (await person.api("exportAccount")).body.scripts;
    expect(exported).toMatchObject([{ transcript: correctedText }]);
    expect(await file(other.key, `/scripts`)).not.toContain("yeast");
  });

  test("has a time for every word, whatever is written", async () => {
    const { person, key, id } = await aPerson();
    await correct(person, id, ["Salt always comes first.", "", "Ever so slowly now."]);
    const script = (await rest(service.url, `/scripts/${id}?words=true`, { key })).body;
    expect(script.words).toEqual([
      words[0],
      { text: " always", start: 0.5, end: 1 },
      words[1],
      words[2],
      { text: " Ever", start: 7, end: 7.125 },
      { text: " so", start: 7.125, end: 7.188 },
      { text: " slowly", start: 7.188, end: 7.375 },
      { text: " now.", start: 7.375, end: 7.5 },
    ]);
  });

  test("is uncorrected after removing the correction, or restoring the recognized words", async () => {
    const { person, key, id } = await aPerson();
    for (const end of [
      () => person.api("removeScriptCorrection", { id }),
      () =>
        correct(
          person,
          id,
          segments.map((segment) => segment.text),
        ),
    ]) {
      await correct(person, id, corrected);
      expect(await end()).toMatchObject({ status: 200, body: { correctedAt: null } });
      const script = (await rest(service.url, `/scripts/${id}?words=true`, { key })).body;
      expect(script).toMatchObject({ transcript: text, segments, words });
      expect([await total(key, "yeast"), await total(key, "east")]).toEqual([0, 1]);
    }
  });

  test("is not overwritten by who saw other words", async () => {
    const { person, id } = await aPerson();
    const { version } = await find(person, id);
    expect((await person.api("correctScript", { id, ifVersion: version, texts: corrected })).status).toBe(200);
    for (const [name, input] of [
      ["correctScript", { id, ifVersion: version, texts: ["One.", "Two.", "Three."] }],
      ["removeScriptCorrection", { id, ifVersion: version }],
    ] as const) {
      const stale = await person.api(name, input);
      expect([stale.status, stale.headers.get("x-error-reason")]).toEqual([412, "staleRevision"]);
    }
    expect((await find(person, id)).segments[1].text).toBe(corrected[1]);
    expect((await person.api("correctScript", { id, texts: corrected })).status).toBe(400);
    const now = (await find(person, id)).version;
    const racing = await Promise.all(
      ["One.", "Two."].map((one) => person.api("correctScript", { id, ifVersion: now, texts: [one, "", ""] })),
    );
    expect(new Set(racing.map(({ status }) => status))).toEqual(new Set([200, 412]));
  });

  test("takes hostile texts as lines, and refuses what is none", async () => {
    const { person, key, id } = await aPerson();
    const hostile = await correct(person, id, [
      " Salt\u0000\r\n\r\n99\n00:00:01,000 --> 00:00:02,000\nfirst\u2028.\u0007 ",
      "\u202Eevil\u202C <b>&amp;</b> \uD83D مرحبا\u200F -->",
      "Slowly.",
    ]);
    expect(hostile.status).toBe(200);
    expect(hostile.body.segments.map((segment: { text: string }) => segment.text)).toEqual([
      "Salt 99 00:00:01,000 --> 00:00:02,000 first .",
      "evil <b>&amp;</b> مرحبا\u200F -->",
      "Slowly.",
    ]);
    expect((await file(key, `/scripts/${id}/subtitles`)).match(/ --> /g)).toHaveLength(
      (await file(key, `/scripts/${id}/subtitles`)).split("\n\n").length,
    );
    const texts = (...given: unknown[]) => given;
    for (const [given, status] of [
      [texts("", " ", "\u0000"), 422],
      [texts("…", "", ""), 422],
      [texts("One."), 422],
      [texts("One.", "Two.", "Three.", "Four."), 422],
      [texts(), 400],
      [texts("One.", 2, "Three."), 400],
      [texts("x".repeat(100_001), "", ""), 400],
      [texts("x".repeat(60_000), "y".repeat(60_000), ""), 400],
      [texts("x".repeat(2_000_000), "", ""), 413],
    ] as const)
      expect((await correct(person, id, given as string[])).status, String(given).slice(0, 50)).toBe(status);
    expect((await correct(person, id, ["z ".repeat(40_000), "", "Slowly."])).status).toBe(200);
    expect(await total(key, "z")).toBe(1);
  });

  test("is its owner's alone, and nothing to programs", async () => {
    const { person, key, id } = await aPerson();
    const stranger = await aPerson();
    const { version } = await find(person, id);
    for (const [name, input] of [
      ["getScriptCorrection", { id }],
      ["correctScript", { id, ifVersion: version, texts: corrected }],
      ["removeScriptCorrection", { id }],
    ] as const)
      expect((await stranger.person.api(name, input)).status).toBe(404);
    expect((await rest(service.url, `/scripts/${id}/correction`, { key })).status).toBe(404);
  });

  test("can be of a text of unknown times, and not of silence", async () => {
    const whole = await aPerson({ text, segments: [] });
    expect(await find(whole.person, whole.id)).toMatchObject({ segments: [{ start: 0, end: 30, text }] });
    expect((await correct(whole.person, whole.id, ["All of it new."])).status).toBe(200);
    const script = (await rest(service.url, `/scripts/${whole.id}`, { key: whole.key })).body;
    expect(script).toMatchObject({ transcript: "All of it new.", segments: [] });
    expect(await file(whole.key, `/scripts/${whole.id}/subtitles`)).toContain("All of it new.");

    const silent = await aPerson({ text: "" });
    expect(await find(silent.person, silent.id)).toMatchObject({ segments: [] });
    expect(await correct(silent.person, silent.id, ["Words."])).toMatchObject({ status: 422 });
  });

  test("stays when the reel is transcribed again, and says that it did", async () => {
    const { person, key, id } = await aPerson({
      text,
      segments,
      words,
      gaps: [{ start: 9, end: 12, reason: "skipped" as const }],
    });
    await correct(person, id, corrected);
    transcriber.revision += 1;
    transcriber.tell({ text: `${text} And more.`, segments: [...segments, { start: 9, end: 12, text: "And more." }] });
    const again = await rest(service.url, `/scripts/${id}/retranscribe`, { key, method: "POST", body: {} });
    expect(again).toMatchObject({ status: 200, body: { replaced: true, script: { transcript: correctedText } } });
    expect(await find(person, id)).toMatchObject({
      outdated: true,
      segments: [{}, { original: segments[1]!.text }, {}],
    });
    expect((await rest(service.url, `/scripts/${id}`, { key })).body).not.toHaveProperty("retranscribable");
    await person.api("removeScriptCorrection", { id });
    expect((await rest(service.url, `/scripts/${id}`, { key })).body.transcript).toBe(`${text} And more.`);
    expect([await total(key, "more"), await total(key, "yeast")]).toEqual([1, 0]);
  });
});
