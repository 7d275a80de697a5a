import { describe, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { serviceOfTests, type TestService } from "../harness/start-test-service.ts";

const transcriber = createGatedTranscriber();
const service = serviceOfTests({
  transcriber: {
    model: transcriber.model,
    revision: transcriber.revision,
    async transcribe(file, options) {
      const said = await transcriber.transcribe(file, options);
      return options.language === "id" ? { ...said, text: noSpaces(300_000) } : said;
    },
  },
});

const noSpaces = (length: number): string =>
  "今天我们去北京看长城然后吃烤鸭喝茶東京都に住んでいます".repeat(length / 20).slice(0, length);
const family = "👨‍👩‍👧‍👦";
/** Of what memory this process ever took. */
const mostMegabytes = (): number => process.resourceUsage().maxRSS / 1_024;

const added = (reel: Omit<Parameters<TestService["standin"]["addReel"]>[0], "bytes">): string => service.newReel(reel);

describe("texts of any length", () => {
  test("a caption without a space ends neither the service nor its memory, and is found by its words", async () => {
    const { key } = await service.createCaller();
    const before = mostMegabytes();
    const answer = await transcribe(service.url, key, added({ caption: noSpaces(60_000) }));
    expect(answer.status).toBe(200);
    const { body } = await rest(service.url, "/scripts?query=长城", { key });
    expect(body.total).toBe(1);
    const { caption } = (await rest(service.url, "/scripts", { key })).body.scripts[0];
    expect(noSpaces(60_000).startsWith(caption)).toBe(true);
    expect(caption.length).toBe(10_000);
    expect(mostMegabytes() - before).toBeLessThan(300);
  });

  test("a text is cut between characters as readers see them", async () => {
    const { key } = await service.createCaller();
    const url = added({ caption: `x${family.repeat(2_000)}`, fullName: family.repeat(500) });
    const { body } = await rest(service.url, `/reels/resolve?url=${encodeURIComponent(url)}`, { key });
    expect(body.caption).toBe(`x${family.repeat(Math.floor(9_999 / family.length))}`);
    expect(body.author.displayName).toBe(family.repeat(Math.floor(200 / family.length)));
  });

  test("what was piled up to have no end is cut, too", async () => {
    const { key } = await service.createCaller();
    const url = added({ caption: `e${"\u0301".repeat(200_000)}`, handle: "a".repeat(50_000) });
    const { body } = await rest(service.url, `/reels/resolve?url=${encodeURIComponent(url)}`, { key });
    expect(body.caption.length).toBeLessThanOrEqual(10_000);
    expect(body.author.handle).toBeNull();
    expect((await transcribe(service.url, key, url)).status).toBe(200);
  });

  test("a transcript of hours is cut where a correction would end, stored, found and shown", async () => {
    const { key } = await service.createCaller();
    const before = mostMegabytes();
    const answer = await transcribe(service.url, key, added({}), "id");
    expect(answer.status).toBe(200);
    expect(answer.body.truncated).toBe(true);
    expect(answer.body.transcript.length).toBeGreaterThan(99_000);
    expect(answer.body.transcript.length).toBeLessThanOrEqual(100_000);
    const { body } = await rest(service.url, "/scripts?query=烤鸭", { key });
    expect(body.total).toBe(1);
    expect(mostMegabytes() - before).toBeLessThan(500);
  });
});
