import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";
import { beforeEach, describe, expect, test } from "vitest";
import type { Translation } from "../../src/ports.ts";
import { SpeechNotRecognized } from "../../src/recognition/recognition-errors.ts";
import { aFileSender, aVideo } from "../files/file-sender.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest, transcribe, used } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { receiverOfTest } from "../harness/start-receiver.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const english = "Salt comes first. Then pepper.";
const madeTranslation: Translation = {
  text: english,
  segments: [
    { start: 0, end: 1.5, text: "Salt comes first." },
    { start: 4, end: 6, text: "Then pepper.", isUnsure: true },
  ],
  gaps: [{ start: 8, end: 9, reason: "lowConfidence" }],
  model: "scripted",
  revision: 1,
};

let answer: () => Promise<Translation>;
const translated: string[] = [];
const transcriber = {
  ...createScriptedTranscriber(),
  translator: {
    languages: ["es", "fr"] as const,
    async translate(_file: string, { language }: { readonly language: string }) {
      translated.push(language);
      return answer();
    },
  },
};
const service = serviceOfTests({
  transcriber,
  rateLimits: { transcribe: 1_000, address: 100_000 },
  repeated: ["transcribe-files", "deliver-webhooks"],
});
beforeEach(() => {
  answer = async () => madeTranslation;
  translated.splice(0);
});

const tellSpanish = (): void => transcriber.tell({ text: "Primero la sal. Luego la pimienta.", language: "es" });
const post = (key: string, path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  rest(service.url, path, { key, body, headers });
const translateScript = (key: string, id: string, headers?: Record<string, string>) =>
  post(key, `/scripts/${id}/translate`, {}, headers);
const scriptOf = async (key: string, id: string) => (await rest(service.url, `/scripts/${id}`, { key })).body;

async function aSpanishScript(): Promise<{ key: string; id: string; url: string; accountId: string }> {
  const { key, accountId } = await service.createCaller();
  tellSpanish();
  const url = service.newReel();
  const { body } = await transcribe(service.url, key, url);
  return { key, accountId, url, id: body.scriptId };
}

describe("a translation to English", () => {
  test("is asked for with the transcript, which doesn't wait for it, and costs nothing more", async () => {
    const { key } = await service.createCaller();
    let finish = (): void => undefined;
    answer = () => new Promise((resolve) => (finish = () => resolve(madeTranslation)));
    tellSpanish();
    const { code } = service.standin.addReel({ bytes: Buffer.from("not looked at") });
    const { status, body } = await post(key, "/transcribe", { url: service.standin.urlOf(code), translate: "en" });
    expect([status, body.transcript, body.language]).toEqual([200, "Primero la sal. Luego la pimienta.", "es"]);
    expect(body.translation).toEqual({ language: "en", status: "inProgress", byMachine: true });
    expect((await scriptOf(key, body.scriptId)).translation).toMatchObject({ status: "inProgress" });
    await expect.poll(() => translated).toEqual(["es"]);
    const hurried = await translateScript(key, body.scriptId, { prefer: "respond-async" });
    expect([hurried.status, hurried.body.translates]).toEqual([202, true]);
    const waiting = translateScript(key, body.scriptId);
    expect(await Promise.race([waiting, sleep(200, "still waiting")])).toBe("still waiting");
    finish();
    expect((await waiting).body).toMatchObject({ status: "done", byMachine: true, text: english });
    expect(translated, "one run for both").toEqual(["es"]);
    expect(service.standin.counters.of("media", code), "the media are fetched once").toBe(1);
    expect(await used(service.url, key)).toBe(1);
    const script = await scriptOf(key, body.scriptId);
    expect(script).toMatchObject({ transcript: body.transcript, language: "es" });
    expect(script.translation).toEqual({
      language: "en",
      status: "done",
      byMachine: true,
      text: english,
      segments: [madeTranslation.segments[0], { start: 4, end: 6, text: "Then pepper.", unsure: true }],
      gaps: [{ start: 8, end: 9 }],
      model: "scripted",
      revision: 1,
    });
  });

  test("is a column of tables and in the events of its transcript, and nowhere where there is none", async () => {
    const { key, id } = await aSpanishScript();
    const receiver = await receiverOfTest();
    await post(key, "/webhooks", { url: receiver.url });
    const eventOf = async (transcriptionId: string) => {
      const find = () =>
        receiver.events.map(({ body }) => JSON.parse(body).data).find((one) => one.transcriptionId === transcriptionId);
      await expect
        .poll(() => {
          service.clock.advance(1_000);
          return find();
        })
        .toMatchObject({ status: "done" });
      return find();
    };
    tellSpanish();
    const plain = await post(key, "/transcribe", { url: service.newReel() }, { prefer: "respond-async" });
    expect(await eventOf(plain.body.id)).not.toHaveProperty("translation");
    tellSpanish();
    const wished = await post(
      key,
      "/transcribe",
      { url: service.newReel(), translate: "en" },
      { prefer: "respond-async" },
    );
    const { translation } = await eventOf(wished.body.id);
    expect(translation).toEqual({ language: "en", status: expect.stringMatching(/inProgress|done/), byMachine: true });
    await expect.poll(() => translated).toEqual(["es"]);
    await expect.poll(async () => (await rest(service.url, "/scripts?format=csv", { key })).body).toContain(english);
    answer = async () => ({ ...madeTranslation, text: '=Salt, "first"' });
    expect((await translateScript(key, id)).body.status).toBe("done");
    const table = await rest(service.url, "/scripts?format=csv", { key });
    const [head, ...lines] = table.body.trim().split("\r\n") as string[];
    expect(head).toMatch(/,hook,translation,id$/);
    expect(lines).toHaveLength(3);
    expect(lines.filter((line) => line.includes(`,Primero la sal.,"'=Salt, ""first""",scr_`))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(",Primero la sal.,,scr_"))).toHaveLength(1);
    const { body: link } = await rest(service.url, "/script-export", { key });
    expect(await (await fetch(link.url)).text(), "behind an address too").toBe(table.body);
  });

  test("is made although the caller left, and everybody has it who has the reel", async () => {
    const { key } = await service.createCaller();
    tellSpanish();
    const url = service.newReel();
    const { status } = await post(key, "/transcribe", { url, translate: "en" }, { prefer: "respond-async" });
    expect(status).toBe(202);
    const other = await service.createCaller();
    await expect.poll(() => translated).toEqual(["es"]);
    const { body } = await post(other.key, "/transcribe", { url, translate: "en" });
    await expect
      .poll(async () => (await scriptOf(other.key, body.scriptId)).translation)
      .toMatchObject({ status: "done" });
    const again = await post(other.key, "/transcribe", { url, translate: "en" });
    expect(again.body).toMatchObject({ cached: true, translation: { status: "done", text: english } });
    expect(translated).toEqual(["es"]);
    expect(await used(service.url, other.key)).toBe(0);
  });

  test("is added to a script that has none, and marked in every file", async () => {
    const { key, id, accountId } = await aSpanishScript();
    expect(await scriptOf(key, id)).toMatchObject({ translatable: true });
    expect(await scriptOf(key, id)).not.toHaveProperty("translation");
    for (const path of [`/scripts/${id}/text?text=translation`, `/scripts/${id}/subtitles?text=translation`])
      expect((await rest(service.url, path, { key })).status, path).toBe(404);
    expect((await translateScript(key, id)).body).toMatchObject({ status: "done", text: english });
    expect(await scriptOf(key, id)).not.toHaveProperty("translatable");
    const file = async (path: string) => (await rest(service.url, `/scripts/${id}/${path}`, { key })).body;
    expect(await file("text?text=translation")).toBe(`[Machine translation]\n\n${english}`);
    expect(await file("text")).toBe("Primero la sal. Luego la pimienta.");
    expect(await file("subtitles?text=translation")).toBe(
      "1\n00:00:00,000 --> 00:00:01,500\n[Machine translation]\nSalt comes first.\n\n2\n00:00:04,000 --> 00:00:06,000\nThen pepper.\n",
    );
    for (const format of ["vtt", "ass"])
      expect(await file(`subtitles?text=translation&format=${format}`)).toContain("[Machine translation]");
    const [listedScript] = (await rest(service.url, `/scripts?ids=${id}`, { key })).body.scripts;
    expect(listedScript.translation).toEqual({ language: "en", status: "done", byMachine: true, text: english });
    const [exported] = [...(await service.store.translations.list(accountId, [id])).values()];
    expect(exported).toEqual(madeTranslation);
  });

  test("isn't offered for other languages, and says which are", async () => {
    const { key } = await service.createCaller();
    transcriber.tell({});
    const { body } = await post(key, "/transcribe", { url: service.newReel(), translate: "en" });
    expect(body).toMatchObject({ language: "en", translation: { status: "notOffered" } });
    const refused = await translateScript(key, body.scriptId);
    expect([refused.status, refused.headers.get("x-error-reason")]).toEqual([422, "notTranslated"]);
    expect(refused.body.error.message).toBe("This script is in English. Translated are Spanish and French.");
    expect(await scriptOf(key, body.scriptId)).not.toHaveProperty("translatable");
    expect((await translateScript(key, "scr_none")).status).toBe(404);
    expect((await post(key, "/transcribe", { url: service.newReel(), translate: "de" })).status).toBe(400);
    expect(translated).toEqual([]);
  });

  test("that fails leaves the transcript, and can be asked for again", async () => {
    const { key, id } = await aSpanishScript();
    const before = await scriptOf(key, id);
    answer = async () => {
      throw new ServiceError("notFound", "The reel was deleted.", { reason: "reelDeleted" });
    };
    expect((await translateScript(key, id)).status).toBe(404);
    const after = await scriptOf(key, id);
    expect(after).toMatchObject({ translatable: true, translation: { status: "failed", error: { code: "notFound" } } });
    const { translation: _, ...rested } = after;
    expect(rested).toEqual(before);
    answer = async () => madeTranslation;
    expect((await translateScript(key, id)).body).toMatchObject({ status: "done" });
  });

  test("of speech that can't be translated is tried once by a recognizer", async () => {
    const { key, id } = await aSpanishScript();
    answer = async () => {
      throw new SpeechNotRecognized("es", "scripted");
    };
    for (const expected of [["es"], ["es"]]) {
      const { status, body } = await translateScript(key, id);
      expect([status, body.status, body.error.message]).toEqual([
        200,
        "failed",
        expect.stringContaining("The transcript is unchanged."),
      ]);
      expect(translated).toEqual(expected);
    }
    expect((await rest(service.url, `/scripts/${id}/text?text=translation`, { key })).status).toBe(404);
  });

  test("of a file comes after its script, then its bytes are deleted", async () => {
    const ana = await aFileSender(service);
    const video = await aVideo();
    let finish = (): void => undefined;
    answer = () => new Promise((resolve) => (finish = () => resolve(madeTranslation)));
    tellSpanish();
    const { id } = await ana.send(video, { translate: "en" });
    const done = await ana.ended(id);
    expect(done).toMatchObject({ status: "done", scriptId: expect.any(String) });
    expect(done).not.toHaveProperty("deletion");
    await expect.poll(() => translated).toEqual(["es"]);
    finish();
    await expect.poll(async () => (await ana.get(id)).deletion).toMatchObject({ bytes: video.length });
    expect(await scriptOf(ana.key, done.scriptId!)).toMatchObject({ translation: { status: "done", text: english } });
    expect(await ana.used()).toBe(1);
    const gone = await service.createCaller();
    expect((await rest(service.url, `/scripts/${done.scriptId}`, { key: gone.key })).status).toBe(404);
  });

  test("of a file that was transcribed before is made when it is sent again", async () => {
    const ana = await aFileSender(service);
    const video = await aVideo(0, "z");
    tellSpanish();
    const first = await ana.ended((await ana.send(video)).id);
    expect(await scriptOf(ana.key, first.scriptId!)).not.toHaveProperty("translatable");
    expect((await translateScript(ana.key, first.scriptId!)).status, "its bytes are gone").toBe(404);
    const again = await ana.ended((await ana.send(video, { translate: "en" })).id);
    expect(again.scriptId).toBe(first.scriptId);
    await expect.poll(async () => (await ana.get(again.id)).deletion).toMatchObject({ bytes: video.length });
    expect(await scriptOf(ana.key, first.scriptId!)).toMatchObject({ translation: { status: "done" } });
    expect(await ana.used()).toBe(1);
  });

  test("is an argument of the tool, and comes with whole scripts", async () => {
    const { key } = await service.createCaller();
    const { call, close } = await connectAgent(service.url, key);
    tellSpanish();
    const url = service.newReel();
    const { data } = await call("transcribe_reel", { url, translate: "en" });
    expect(data.translation).toMatchObject({ byMachine: true });
    await expect.poll(async () => (await scriptOf(key, data.scriptId)).translation?.status).toBe("done");
    expect((await call("list_my_scripts", { ids: [data.scriptId] })).text).toContain(
      `translated by machine: ${english}`,
    );
    expect(await call("transcribe_reel", { urls: [url], translate: "en" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("`translate`"),
    });
    await close();
  });
});
