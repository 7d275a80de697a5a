import { languageCodes, languages } from "@reelscript/contract";
import { createOpenAiRecognizer } from "@reelscript/whisper";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SpeechNotRecognized } from "../../src/recognition/speech-not-recognized.ts";
import { rest, transcribe, used } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { startEndpoint } from "../harness/start-endpoint.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { wordErrorRate } from "../harness/word-error-rate.ts";

const reelsOf = (service: TestService, language: string) =>
  service.standin.reels.filter((reel) => reel.language === language && /^(speech|synthesizedSpeech)$/.test(reel.kind));

describe("the embedded model", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      rateLimits: { default: 10_000, transcribe: 10_000, bioWrite: 20, address: 600 },
    });
  });
  afterAll(() => service.close());

  /** Word errors of real speech stay low; those of synthesized voices only show that the words are there. */
  const bounds: Record<string, number> = { en: 0.15, es: 0.3, fr: 0.2, it: 0.2, de: 0.35, pt: 0.25, id: 0.5 };

  test.each(Object.entries(bounds))("writes down %s", async (language, bound) => {
    const { key } = await service.createCaller();
    const [reel] = reelsOf(service, language);
    const { status, body } = await transcribe(service.url, key, service.standin.urlOf(reel!.code));
    expect([status, body.language]).toEqual([200, language]);
    expect(wordErrorRate(reel!.text, body.transcript)).toBeLessThan(bound);
  });

  test.each([
    ["ta", "CtaEnVeeduI", /\p{Script=Tamil}{3}/u],
    ["ar", "CarQahwaAra", /\p{Script=Arabic}{3}/u],
  ] as const)("hears %s and writes its script", async (language, code, script) => {
    const { key } = await service.createCaller();
    const { status, body } = await transcribe(service.url, key, service.standin.urlOf(code));
    expect([status, body.language]).toEqual([200, language]);
    expect(body.transcript).toMatch(script);
  });

  test.each(["hi", "te"] as const)("refuses %s, which it cannot write down, and charges nothing", async (language) => {
    const { key } = await service.createCaller();
    for (const { code } of reelsOf(service, language)) {
      const { status, body } = await transcribe(service.url, key, service.standin.urlOf(code));
      expect([status, body.error?.code], JSON.stringify(body)).toEqual([422, "invalidRequest"]);
      expect(body.error.message).toBe(
        `We can't transcribe ${languages[language]} reliably with the current model. You weren't charged.`,
      );
    }
    expect(await used(service.url, key)).toBe(0);
  });

  test("has a reel of each of the languages to listen to", () => {
    for (const language of languageCodes) expect(reelsOf(service, language).length, language).toBeGreaterThan(0);
  });
});

describe.each(["hi", "te"])("an endpoint that hears %s", (language) => {
  test("makes a transcript of it, found by its words", async () => {
    const words = { hi: "नमस्ते दोस्तों आज हम चाय बनाएँगे", te: "నమస్కారం ఈ రోజు మనం పచ్చడి చేద్దాం" }[language]!;
    const endpoint = await startEndpoint({
      text: words,
      language: { hi: "hindi", te: "telugu" }[language]!,
      seconds: 14,
    });
    const service = await startTestService({
      recognizer: async () => createOpenAiRecognizer({ baseUrl: endpoint.baseUrl, apiKey: "secret", model: "large" }),
    });
    const { key } = await service.createCaller();
    const [reel] = reelsOf(service, language);
    const { status, body } = await transcribe(service.url, key, service.standin.urlOf(reel!.code), language);
    expect([status, body]).toMatchObject([200, { transcript: words, language, cached: false, usage: { used: 1 } }]);
    expect(endpoint.requests.map(({ authorization }) => authorization)).toEqual(["Bearer secret"]);

    const [, second = ""] = words.split(" ");
    const found = await rest(service.url, `/scripts?query=${encodeURIComponent(second)}`, { key });
    expect(found.body.total).toBe(1);
    await service.close();
    await endpoint.close();
  });
});

describe("a language hint", () => {
  test("that ends in a refusal refuses the reel only to those who give the same one", async () => {
    const transcriber = createScriptedTranscriber();
    const service = await startTestService({ transcriber });
    const url = service.standin.urlOf(service.standin.addReel({ bytes: Buffer.from("sound") }).code);
    const [first, second] = [await service.createCaller(), await service.createCaller()];
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
    await service.close();
  });
});
