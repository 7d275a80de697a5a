import { languageCodes, languages } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { transcribe, used } from "../harness/rest.ts";
import { serviceOfTests, type TestService } from "../harness/start-test-service.ts";
import { wordErrorRate } from "../harness/word-error-rate.ts";

const reelsOf = (service: TestService, language: string) =>
  service.standin.reels.filter((reel) => reel.language === language && /^(speech|synthesizedSpeech)$/.test(reel.kind));

describe("the embedded model", () => {
  const service = serviceOfTests({ rateLimits: { default: 10_000, transcribe: 10_000 } });

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
  ] as const)("hears %s, named by a hint, and writes its script", async (language, code, script) => {
    const { key } = await service.createCaller();
    const { status, body } = await transcribe(service.url, key, service.standin.urlOf(code), language);
    expect([status, body.language]).toEqual([200, language]);
    expect(body.transcript).toMatch(script);
  });

  test("hears Hindi without a hint, and calls what it wrote a rough draft", async () => {
    const { key } = await service.createCaller();
    for (const { code } of reelsOf(service, "hi")) {
      const { status, body } = await transcribe(service.url, key, service.standin.urlOf(code));
      expect([status, body.language, body.rough]).toEqual([200, "hi", true]);
      expect(body.transcript).toMatch(/(?:\p{Script=Devanagari}+ ){3}/u);
    }
  });

  test("refuses Telugu, which it cannot write down, and charges nothing", async () => {
    const { key } = await service.createCaller();
    for (const { code } of reelsOf(service, "te")) {
      const { status, body } = await transcribe(service.url, key, service.standin.urlOf(code));
      expect([status, body.error?.code], JSON.stringify(body)).toEqual([422, "invalidRequest"]);
      expect(body.error.message).toBe(
        `We can't transcribe ${languages.te} reliably with the current model. You weren't charged.`,
      );
    }
    expect(await used(service.url, key)).toBe(0);
  });

  test("has a reel of each of the languages to listen to", () => {
    for (const language of languageCodes) expect(reelsOf(service, language).length, language).toBeGreaterThan(0);
  });
});
