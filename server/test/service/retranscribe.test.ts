import { createClient } from "@reelscript/client";
import { ServiceError } from "@reelscript/contract";
import { allDoors } from "@reelscript/platform-standin";
import { beforeEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../client/src/cli/run-command-line.ts";
import { SpeechNotRecognized } from "../../src/recognition/recognition-errors.ts";
import { rest, transcribe, used } from "../harness/rest.ts";
import { createScriptedTranscriber, type ScriptedSpeech } from "../harness/scripted-transcriber.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const transcriber = createScriptedTranscriber();
const service = serviceOfTests({ transcriber });
beforeEach(() => {
  transcriber.revision += 1;
  transcriber.hints.splice(0);
});

const gap = { start: 4, end: 16.5, reason: "skipped" as const };
const said = [
  { start: 0, end: 0.4, text: "Salt" },
  { start: 0.5, end: 0.9, text: " comes" },
  { start: 1, end: 1.4, text: " first." },
];

/** A script in a new account's library, as the recognizer of the revision now hears it. */
async function hear(speech: ScriptedSpeech) {
  const { key, accountId } = await service.createCaller();
  const reel = service.standin.addReel({ bytes: Buffer.from("not looked at") });
  const url = service.standin.urlOf(reel.code);
  transcriber.tell(speech);
  expect((await transcribe(service.url, key, url)).status).toBe(200);
  const { id } = (await rest(service.url, "/scripts", { key })).body.scripts[0];
  return { key, accountId, url, id, reel };
}
const get = async (key: string, id: string, query = "") =>
  (await rest(service.url, `/scripts/${id}${query}`, { key })).body;
const again = (key: string, id: string, headers: Record<string, string> = {}) =>
  rest(service.url, `/scripts/${id}/retranscribe`, { key, method: "POST", body: {}, headers });

describe("gaps and words", () => {
  test("come with a script, words on request; lists and search stay unchanged", async () => {
    const { key, id } = await hear({ words: said, gaps: [gap] });
    const script = await get(key, id);
    expect(script).toMatchObject({ gaps: [gap], receipt: { revision: transcriber.revision } });
    for (const absent of ["words", "retranscribable"]) expect(script).not.toHaveProperty(absent);
    const { words, ...rested } = await get(key, id, "?words=true");
    expect([words, rested]).toEqual([said, script]);
    expect(words.map(({ text }: { text: string }) => text).join("")).toBe(script.transcript);
    expect(await get(key, id, "?words=false")).toEqual(script);
    expect((await rest(service.url, `/scripts/${id}?words=1`, { key })).status).toBe(400);
    for (const query of ["", "?query=salt"]) {
      const [script] = (await rest(service.url, `/scripts${query}`, { key })).body.scripts;
      for (const absent of ["words", "gaps", "segments"]) expect(script).not.toHaveProperty(absent);
    }
    const none = await hear({});
    expect(await get(none.key, none.id, "?words=true")).not.toHaveProperty("words");
    expect(await get(none.key, none.id)).toMatchObject({ gaps: [] });
  });

  test("shape the subtitles, which may carry the times of words", async () => {
    const spoken = [...said, { start: 17, end: 17.5, text: " Then" }, { start: 17.6, end: 18, text: " <i>&" }];
    const text = spoken.map((word) => word.text).join("");
    const { key, id } = await hear({ text, words: spoken, gaps: [gap], segments: [{ start: 0, end: 18, text }] });
    const file = await fetch(`${service.url}/api/v1/scripts/${id}?format=vtt-words`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(file.headers.get("content-disposition")).toMatch(/\.en\.vtt"$/);
    expect(await file.text()).toBe(
      "WEBVTT\n\n00:00:00.000 --> 00:00:01.400\nSalt <00:00:00.500>comes <00:00:01.000>first.\n\n00:00:17.000 --> 00:00:18.000\nThen <00:00:17.600>&lt;i&gt;&amp;\n",
    );
  });
});

describe("transcribing again", () => {
  test("replaces a text that misses something, for free and for everybody", async () => {
    const { key, id, url } = await hear({ gaps: [gap] });
    const other = await service.createCaller();
    await transcribe(service.url, other.key, url);
    const before = await get(key, id);
    transcriber.revision += 1;
    expect(await get(key, id)).toEqual({ ...before, retranscribable: true });

    service.clock.advance(3_600_000);
    const text = "Salt comes first. Then pepper.";
    transcriber.tell({ text, gaps: [{ ...gap, end: 5 }] });
    const answer = await again(key, id);
    expect(answer).toMatchObject({ status: 200, body: { replaced: true } });
    const { script } = answer.body;
    expect(script).toEqual(await get(key, id));
    expect(script).toEqual({
      ...before,
      transcript: text,
      segments: [{ start: 0, end: 2, text }],
      gaps: [{ ...gap, end: 5 }],
      analysis: { hook: "Salt comes first.", wordsPerMinute: expect.any(Number) },
      transcribedAt: expect.any(String),
      receipt: { ...before.receipt, revision: transcriber.revision },
    });
    expect(Date.parse(script.transcribedAt) - Date.parse(before.transcribedAt)).toBeGreaterThanOrEqual(3_600_000);
    expect(transcriber.hints, "what was heard is the hint").toEqual([null, "en"]);
    expect(await used(service.url, key)).toBe(1);
    for (const caller of [key, other.key])
      expect((await rest(service.url, "/scripts?query=pepper", { key: caller })).body.total).toBe(1);
    expect((await transcribe(service.url, key, url)).body).toMatchObject({ transcript: text, cached: true });

    const [theirs] = (await rest(service.url, "/scripts", other)).body.scripts;
    for (const [caller, script2] of [
      [key, id],
      [other.key, theirs.id],
    ]) {
      const { status, headers, body } = await again(caller, script2);
      expect([status, body.error.code, headers.get("x-error-reason")]).toEqual([422, "invalidRequest", "alreadyHeard"]);
      expect(body.error.message).toContain("scripted, revision");
    }
  });

  test("keeps the old text if something would be lost, and says why", async () => {
    const old = "One two three four five six seven eight nine ten.";
    for (const [reason, oldSpeech, newSpeech] of [
      ["empty", { gaps: [gap] }, { text: "" }],
      ["notFewerGaps", { gaps: [gap] }, { gaps: [gap] }],
      ["fewerWords", { text: old, gaps: [gap] }, { text: "One two." }],
      ["shorterAudio", { gaps: [gap] }, { seconds: 20 }],
    ] satisfies [string, ScriptedSpeech, ScriptedSpeech][]) {
      const { key, id } = await hear(oldSpeech);
      const before = await get(key, id);
      transcriber.revision += 1;
      transcriber.tell(newSpeech);
      expect((await again(key, id)).body).toEqual({ replaced: false, reason, script: before });
      expect((await again(key, id)).status, "once").toBe(422);
      transcriber.revision += 1;
      expect(await get(key, id), "and once more after the next update").toEqual({ ...before, retranscribable: true });
    }
  });

  test("finds words where there were none", async () => {
    const { key, id } = await hear({ text: "" });
    expect(await get(key, id)).toMatchObject({ transcript: "", language: "und" });
    transcriber.revision += 1;
    transcriber.tell({ words: said });
    expect((await again(key, id)).body).toMatchObject({ replaced: true, script: { transcript: "Salt comes first." } });
    expect(await used(service.url, key)).toBe(0);
    expect((await get(key, id, "?words=true")).words).toEqual(said);
  });

  test("that is refused or can't fetch the reel changes nothing", async () => {
    const { key, id } = await hear({ gaps: [gap] });
    const before = await get(key, id);
    transcriber.revision += 1;
    service.standin.setWall({ name: "pleaseWait", doors: allDoors });
    expect(await again(key, id)).toMatchObject({ status: 502, body: { error: { code: "upstreamError" } } });
    service.standin.setWall(undefined);
    expect(await get(key, id), "the platform's failure is no try").toEqual({ ...before, retranscribable: true });
    transcriber.tell(new SpeechNotRecognized("te", "scripted"));
    expect(await again(key, id)).toMatchObject({ status: 422, body: { error: { message: /Telugu/ } } });
    expect(await get(key, id)).toEqual(before);
    transcriber.revision += 1;
    transcriber.tell(new ServiceError("invalidRequest", "No sound.", { status: 422 }));
    expect(await again(key, id)).toMatchObject({ status: 422, body: { error: { message: "No sound." } } });
    expect(await again(key, id)).toMatchObject({
      status: 422,
      body: { error: { message: /already transcribed this reel/ } },
    });
    expect(await get(key, id)).toEqual(before);
  });

  test("runs once at a time, is followed, and delivers its outcome once", async () => {
    const { key, id, url, reel } = await hear({ gaps: [gap] });
    const other = await service.createCaller();
    await transcribe(service.url, other.key, url);
    const [theirs] = (await rest(service.url, "/scripts", other)).body.scripts;
    transcriber.revision += 1;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    transcriber.tell(() => opened.then(() => ({})));
    const accepted = await again(key, id, { prefer: "respond-async" });
    expect(accepted.status).toBe(202);
    const location = accepted.headers.get("location")!.replace("/api/v1", "");
    expect(location).toBe(`/transcriptions/${accepted.body.id}`);
    expect(await again(key, id, { prefer: "respond-async" })).toMatchObject({
      status: 202,
      body: { id: accepted.body.id },
    });
    for (const [caller, script] of [
      [key, id],
      [other.key, theirs.id],
    ]) {
      const { status, headers } = await again(caller, script);
      expect([status, headers.get("x-error-reason")]).toEqual([409, "transcriptionRunning"]);
    }
    expect((await transcribe(service.url, other.key, service.standin.urlOf(reel.code))).body.cached).toBe(true);
    open();
    await expect.poll(async () => (await rest(service.url, location, { key })).body.status).toBe("done");
    expect((await rest(service.url, location, { key })).body).toMatchObject({
      retranscription: { replaced: true },
      result: { transcript: "Salt comes first.", usage: { used: 1 } },
    });
    expect(await again(key, id)).toMatchObject({ status: 200, body: { replaced: true, script: { id } } });
    expect((await again(key, id)).status).toBe(422);
    expect((await again(other.key, theirs.id)).status).toBe(422);
  });

  test("needs a key and one's own script, and counts as a transcription", async () => {
    const { key, id } = await hear({});
    const other = await service.createCaller();
    expect((await rest(service.url, `/scripts/${id}/retranscribe`, { method: "POST", body: {} })).status).toBe(401);
    expect(await again(other.key, id)).toMatchObject({ status: 404, body: { error: { code: "notFound" } } });
    expect((await rest(service.url, `/scripts/${id}/retranscribe`, { key, body: { url: "x" } })).status).toBe(400);
    for (let left = 9; left > 0; left -= 1) await again(other.key, id);
    expect(await again(other.key, id)).toMatchObject({ status: 429, body: { error: { code: "rateLimited" } } });
  });

  test("works with the typed client and on the command line", async () => {
    const { key, id } = await hear({ gaps: [gap] });
    transcriber.revision += 1;
    const client = createClient({ baseUrl: service.url, apiKey: key, retry: false });
    transcriber.tell({ words: said });
    expect(await client.retranscribeScript({ id })).toMatchObject({ replaced: true });
    expect((await client.getScript({ id, words: true })).words).toEqual(said);

    const run = async (...args: string[]) => {
      const written = { stdout: "", stderr: "" };
      const code = await runCommandLine(args, {
        environment: { REELSCRIPT_API_KEY: key, REELSCRIPT_URL: service.url },
        stdout: { write: (text) => (written.stdout += text) },
        stderr: { write: (text) => (written.stderr += text) },
        signal: new AbortController().signal,
      });
      return { code, ...written };
    };
    expect(await run("script", id, "--words")).toMatchObject({
      code: 0,
      stdout: "0:00.00  Salt\n0:00.50  comes\n0:01.00  first.\n",
    });
    expect(await run("retranscribe", id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("[invalidRequest]"),
    });
    transcriber.revision += 1;
    transcriber.tell({ gaps: [gap] });
    expect(await run("retranscribe", id)).toMatchObject({
      code: 0,
      stdout: "0:00  Salt comes first.\n",
      stderr: expect.stringContaining("The old transcript was kept: no less speech is missing in the new one."),
    });
  });
});

describe("speech that was not recognized", () => {
  test("is never cached as a reel without speech", async () => {
    const { key } = await service.createCaller();
    const url = service.newReel();
    transcriber.tell({ text: "", gaps: [gap] });
    const refused = await transcribe(service.url, key, url);
    expect(refused).toMatchObject({ status: 422, body: { error: { code: "invalidRequest" } } });
    expect(refused.body.error.message).not.toContain("und");
    expect((await transcribe(service.url, key, url)).status, "remembered for a day").toBe(422);
    expect(await used(service.url, key)).toBe(0);
    transcriber.revision += 1;
    transcriber.tell({});
    expect((await transcribe(service.url, key, url)).status, "another revision may hear it").toBe(200);
    expect(await used(service.url, key)).toBe(1);
  });
});
