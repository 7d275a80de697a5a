import { createOpenAiRecognizer } from "@reelscript/whisper";
import { beforeEach, describe, expect, test } from "vitest";
import { SpeechNotRecognized } from "../../src/recognition/recognition-errors.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { startEndpoint } from "../harness/start-endpoint.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";

test("an endpoint's transcripts are found by words, in Hindi and Telugu", async () => {
  const hears = { text: "", language: "", seconds: 14 };
  const endpoint = await startEndpoint(hears);
  const service = await serviceOfTest({
    recognizer: async () => createOpenAiRecognizer({ baseUrl: endpoint.baseUrl, apiKey: "secret", model: "large" }),
  });
  for (const [language, name, words] of [
    ["hi", "hindi", "नमस्ते दोस्तों आज हम चाय बनाएँगे"],
    ["te", "telugu", "నమస్కారం ఈ రోజు మనం పచ్చడి చేద్దాం"],
  ] as const) {
    Object.assign(hears, { text: words, language: name });
    const { key } = await service.createCaller();
    const reel = service.standin.reels.find((one) => one.language === language);
    const { status, body } = await transcribe(service.url, key, service.standin.urlOf(reel!.code), language);
    expect([status, body]).toMatchObject([200, { transcript: words, language, cached: false, usage: { used: 1 } }]);
    const [, second = ""] = words.split(" ");
    expect((await rest(service.url, `/scripts?query=${encodeURIComponent(second)}`, { key })).body.total).toBe(1);
  }
  expect(endpoint.requests.map(({ authorization }) => authorization)).toEqual(["Bearer secret", "Bearer secret"]);
  await endpoint.close();
});

describe("a language hint", () => {
  const transcriber = createScriptedTranscriber();
  const service = serviceOfTests({ transcriber });
  beforeEach(() => void transcriber.hints.splice(0));

  test("that ends in a refusal binds only those who give it", async () => {
    const url = service.newReel();
    const first = await service.createCaller();
    const second = await service.createCaller();
    const unread = new SpeechNotRecognized("hi", "scripted");
    transcriber.tell(unread);
    expect((await transcribe(service.url, first.key, url, "hi")).status).toBe(422);
    expect((await transcribe(service.url, second.key, url, "hi")).status, "without listening").toBe(422);
    expect(transcriber.hints).toEqual(["hi"]);
    transcriber.tell(unread, { text: "Salt comes first." });
    expect((await transcribe(service.url, second.key, url)).status, "for reasons of its own").toBe(422);
    expect(await transcribe(service.url, second.key, url, "en")).toMatchObject({
      status: 200,
      body: { cached: false },
    });
    expect(transcriber.hints).toEqual(["hi", null, "en"]);
  });

  test("that decides the language serves its account alone until everybody has it", async () => {
    const url = service.newReel();
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => service.createCaller()));
    const ask = (caller: typeof first, hint?: string) => transcribe(service.url, caller!.key, url, hint);
    const script = async (caller: typeof first) =>
      (await rest(service.url, "/scripts", { key: caller!.key })).body.scripts;
    const wrong = { text: "உப்பு முதலில் வரும்.", language: "ta", hintDecided: true };
    transcriber.tell(wrong, { ...wrong, text: "Pepper comes first.", language: "es" }, { text: "Salt comes first." });
    const fresh = { status: 200, body: { transcript: wrong.text, language: "ta", cached: false, usage: { used: 1 } } };
    expect(await ask(first, "ta")).toMatchObject(fresh);
    expect(await ask(first, "ta"), "paid once").toMatchObject({
      status: 200,
      body: { ...fresh.body, cached: true },
    });
    expect(await ask(second, "es")).toMatchObject({
      body: { transcript: "Pepper comes first.", cached: false, usage: { used: 1 } },
    });
    const [mine] = await script(first);
    expect(mine).toMatchObject({ transcript: wrong.text, reelUrl: url });
    const everybodys = { transcript: "Salt comes first.", language: "en" };
    expect(await ask(third)).toMatchObject({ body: { ...everybodys, cached: false } });
    expect(transcriber.hints).toEqual(["ta", "es", null]);
    for (const caller of [first, second, third]) {
      expect(await ask(caller, "ta")).toMatchObject({ body: { ...everybodys, cached: true, usage: { used: 1 } } });
      expect(await script(caller)).toMatchObject([everybodys]);
    }
    expect((await script(first))[0].id).toBe(mine.id);
  });

  test("gets a draft of an unreliable language, which is refused without it", async () => {
    const url = service.newReel();
    const { key } = await service.createCaller();
    transcriber.tell(new SpeechNotRecognized("ar", "whisper-base", true, true));
    const refused = await transcribe(service.url, key, url);
    expect([refused.status, refused.body.error]).toMatchObject([
      422,
      {
        message:
          "We can't transcribe Arabic reliably with the current model. Name the language (ar) as a hint to get a rough draft. You weren't charged.",
      },
    ]);
    transcriber.tell({ text: "الملح أولا", language: "ar", hintDecided: true });
    expect(await transcribe(service.url, key, url, "ar")).toMatchObject({ status: 200, body: { language: "ar" } });
  });
});

test("a draft in a language that is read badly says so everywhere", async () => {
  const transcriber = createScriptedTranscriber();
  const service = await serviceOfTest({ transcriber });
  const { key } = await service.createCaller();
  const draft = service.newReel();
  const sound = service.newReel();
  const ownReel = service.newReel();
  transcriber.tell(
    { text: "नमस्ते दोस्तों", language: "hi", model: "whisper-base" },
    { text: "Salt comes first.", language: "en", model: "whisper-base" },
    { text: "Sal itu pertama.", language: "id", model: "whisper-base+id-own" },
  );
  expect((await transcribe(service.url, key, draft)).body.rough).toBe(true);
  expect((await transcribe(service.url, key, draft)).body, "from the cache").toMatchObject({
    cached: true,
    rough: true,
  });
  expect((await transcribe(service.url, key, sound)).body).not.toHaveProperty("rough");
  expect((await transcribe(service.url, key, ownReel)).body.rough, "by a head of the operator's own").toBe(true);
  const { scripts } = (await rest(service.url, "/scripts", { key })).body;
  const [{ id }] = scripts;
  expect((await rest(service.url, `/scripts/${id}`, { key })).body.receipt).toMatchObject({
    model: "whisper-base+id-own",
    quality: "unmeasured",
  });
  expect(scripts.map(({ language, rough }: Record<string, unknown>) => [language, rough])).toEqual([
    ["id", true],
    ["en", undefined],
    ["hi", true],
  ]);
});
