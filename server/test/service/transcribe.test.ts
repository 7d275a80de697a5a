import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { rest, transcribe, used } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { wordErrorRate } from "../harness/word-error-rate.ts";

const service = serviceOfTests({ rateLimits: { transcribe: 10_000 } });

const reel = (code: string) => service.standin.reels.find((one) => one.code === code)!;

describe("a reel of human speech", () => {
  test("spells names as its caption does, and takes no name from it that nobody says", async () => {
    const bytes = await readFile(new URL("../../../platform-standin/reels/es-felicidades.mp4", import.meta.url));
    const { key } = await service.createCaller();
    const heardWith = async (caption: string): Promise<string> => {
      const { code } = service.standin.addReel({ bytes, caption });
      return (await transcribe(service.url, key, service.standin.urlOf(code))).body.transcript;
    };
    const spelledText = await heardWith("Así se instala #Asterisk, la PBX de todos");
    expect(spelledText).toContain("Asterisk");
    expect(spelledText).toContain("PBX");
    const lied = await heardWith("Kowloon, Fisichella y Ottolenghi en Nunavut #Digium");
    expect(lied).not.toMatch(/Kowloon|Fisichella|Ottolenghi|Nunavut|Digium/i);
    expect(lied).toMatch(/^Felicidades/);
  });

  test("is transcribed, charged once, then free for everybody from the cache", async () => {
    const [first, second] = await Promise.all([service.createCaller(), service.createCaller({ plan: "hobby" })]);
    const { code, text } = reel("CenAmiable1");
    const url = service.standin.urlOf(code);

    const fresh = await transcribe(service.url, first.key, url);
    expect(fresh.status).toBe(200);
    expect(fresh.body).toMatchObject({ language: "en", cached: false, usage: { used: 1, limit: 10 } });
    expect(fresh.body).not.toHaveProperty("truncated");
    expect(wordErrorRate(text, fresh.body.transcript)).toBeLessThan(0.2);

    const requestCount = service.standin.counters.ofReel(code);
    const again = await transcribe(service.url, first.key, url);
    const { transcriptionId, ...shared } = fresh.body;
    expect(again.body).toEqual({ ...shared, cached: true });
    const { body: library } = await rest(service.url, "/scripts", { key: first.key });
    expect(fresh.body.scriptId).toBe(library.scripts[0].id);
    const followed = await rest(service.url, `/transcriptions/${transcriptionId}`, { key: first.key });
    expect(followed.body.result).toMatchObject({ scriptId: fresh.body.scriptId, transcriptionId });
    const other = await transcribe(service.url, second.key, service.standin.urlOf(code, "p"));
    expect(other.body).toMatchObject({
      transcript: fresh.body.transcript,
      cached: true,
      usage: { used: 0, limit: 250 },
    });
    expect(service.standin.counters.ofReel(code)).toBe(requestCount);
    const resolved = await rest(service.url, `/reels/resolve?url=${encodeURIComponent(url)}`, { key: first.key });
    expect(resolved.body.transcript).toEqual({ cached: true, cost: 0, scriptId: fresh.body.scriptId });
    const third = await service.createCaller();
    const stranger = await rest(service.url, `/reels/resolve?url=${encodeURIComponent(url)}`, { key: third.key });
    expect(stranger.body.transcript).toEqual({ cached: true, cost: 0 });
  });

  test("is in every requester's library once, with the platform's facts", async () => {
    const caller = await service.createCaller();
    const { code, owner, caption, likes, comments, takenAt } = reel("CesPruebaEc");
    await transcribe(service.url, caller.key, service.standin.urlOf(code));
    await transcribe(service.url, caller.key, service.standin.urlOf(code));

    const { body } = await rest(service.url, "/scripts", { key: caller.key });
    expect(body.total).toBe(1);
    expect(body.scripts).toHaveLength(1);
    expect(body.scripts[0]).toMatchObject({
      id: expect.stringMatching(/^scr_/),
      reelUrl: service.standin.urlOf(code),
      platform: "standin",
      account: owner.username,
      caption,
      language: "es",
      likes,
      comments,
      postedAt: new Date(takenAt * 1_000).toISOString(),
      transcribedAt: expect.any(String),
    });
    // The platform doesn't say to visitors how often a reel was viewed.
    for (const field of ["views", "engagementRate"]) expect(body.scripts[0]).not.toHaveProperty(field);

    const stranger = await service.createCaller();
    expect((await rest(service.url, "/scripts", { key: stranger.key })).body).toEqual({ scripts: [], total: 0 });
  });

  test("is found by words, an unfinished last word, a phrase, its account", async () => {
    const caller = await service.createCaller();
    await transcribe(service.url, caller.key, service.standin.urlOf("CenAmiable1"));
    await transcribe(service.url, caller.key, service.standin.urlOf("CesPruebaEc"));
    const [spoken = ""] =
      reel("CesPruebaEc")
        .text.toLowerCase()
        .match(/\p{L}{6,}/u) ?? [];
    const search = async (query: Record<string, string>) =>
      (await rest(service.url, `/scripts?${new URLSearchParams(query)}`, { key: caller.key })).body;

    expect((await search({ query: spoken })).scripts.map(({ reelUrl }: { reelUrl: string }) => reelUrl)).toEqual([
      service.standin.urlOf("CesPruebaEc"),
    ]);
    expect((await search({ query: spoken.slice(0, 4) })).total).toBe(1);
    expect((await search({ query: "words that nobody said" })).total).toBe(0);
    expect((await search({ account: `@${reel("CesPruebaEc").owner.username.toUpperCase()}` })).total).toBe(1);
    expect((await search({ sort: "views", limit: "1" })).scripts).toHaveLength(1);
  });
});

test("music, noise and silence give an empty, free transcript that is stored", async () => {
  const caller = await service.createCaller();
  for (const kind of ["musicOnly", "noise", "silence"]) {
    const { code } = service.standin.reels.find((one) => one.kind === kind)!;
    const answer = await transcribe(service.url, caller.key, service.standin.urlOf(code));
    expect(answer, kind).toMatchObject({
      status: 200,
      body: { transcript: "", language: "und", cached: false, usage: { used: 0 } },
    });
    const again = await transcribe(service.url, caller.key, service.standin.urlOf(code));
    expect(again.body, kind).toMatchObject({ transcript: "", language: "und", cached: true });
  }
  expect((await rest(service.url, "/scripts", { key: caller.key })).body.total).toBe(3);
});

test("a hint of a wrong language does not poison the shared cache", async () => {
  const caller = await service.createCaller();
  const { code, text } = reel("CdeNeuesZim");
  const answer = await transcribe(service.url, caller.key, service.standin.urlOf(code), "en-US");
  expect(answer.body.language).toBe("de");
  expect(wordErrorRate(text, answer.body.transcript)).toBeLessThan(0.5);
});

test("unrecognizable speech is refused for free, and remembered for a day", async () => {
  const caller = await service.createCaller();
  const { code } = service.standin.reels.find(({ language }) => language === "te")!;
  const url = service.standin.urlOf(code);
  const answer = await transcribe(service.url, caller.key, url);
  expect([answer.status, answer.headers.get("x-error-reason")]).toEqual([422, "speechNotRecognized"]);
  expect(answer.body.error.message).toMatch(/^We can.t transcribe Telugu reliably .* You weren.t charged\.$/);

  const requestCount = service.standin.counters.ofReel(code);
  expect((await transcribe(service.url, caller.key, url)).status).toBe(422);
  expect(service.standin.counters.ofReel(code)).toBe(requestCount);
  service.clock.advance(25 * 3_600_000);
  expect((await transcribe(service.url, caller.key, url)).status).toBe(422);
  expect(service.standin.counters.ofReel(code)).toBeGreaterThan(requestCount);
  expect(await used(service.url, caller.key)).toBe(0);
});

test("a caller who goes away leaves a transcription that goes on", async () => {
  const caller = await service.createCaller();
  const { code } = reel("CenSquare01");
  const url = service.standin.urlOf(code);
  const leaving = new AbortController();
  const given = rest(service.url, "/transcribe", { key: caller.key, body: { url }, signal: leaving.signal });
  await expect.poll(() => service.standin.counters.ofReel(code)).toBeGreaterThan(0);
  leaving.abort();
  await expect(given).rejects.toThrow("abort");
  await expect
    .poll(async () => (await rest(service.url, "/scripts", { key: caller.key })).body.total, { interval: 250 })
    .toBe(1);
  expect((await transcribe(service.url, caller.key, url)).body).toMatchObject({ cached: true, usage: { used: 1 } });
});

test("details are read without transcribing", async () => {
  const caller = await service.createCaller();
  const { code, mediaId, owner } = reel("CitTestdiEc");
  const { body } = await rest(
    service.url,
    `/reels/resolve?url=${encodeURIComponent(service.standin.urlOf(code, "p"))}`,
    { key: caller.key },
  );
  expect(body).toMatchObject({
    platform: "standin",
    mediaId,
    shortcode: code,
    url: service.standin.urlOf(code),
    author: { handle: owner.username },
    dimensions: { aspectRatio: "9:16" },
    hasAudio: true,
  });
  expect(await used(service.url, caller.key)).toBe(0);
});
