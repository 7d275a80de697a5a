import { describe, expect, test } from "vitest";
import { rest, transcribe, used } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const options = {
  rateLimits: { default: 10_000, transcribe: 10_000 },
  maxMediaBytes: 20_000_000,
  maxAudioSeconds: 20,
};
const service = serviceOfTests(options);
/** For what never ends by itself; all else may take its time. */
const hasty = serviceOfTests({ ...options, fetchLimits: { pageSeconds: 2, mediaSeconds: 4, silenceSeconds: 2 } });

const notFound = { status: 404, code: "notFound" };
const upstream = { status: 502, code: "upstreamError" };
const never = { status: 422, code: "invalidRequest" };

/** What a caller gets for each kind of reel that cannot be had; a word of the message tells why. */
const expected: Record<string, { status: number; code: string; says?: RegExp }> = {
  private: { ...notFound, says: /private/ },
  privateShown: { ...notFound, says: /private/ },
  privateShortCode: { ...notFound, says: /private|does not exist|deleted/ },
  deleted: { ...notFound, says: /deleted|exist/ },
  ageGated: { ...notFound, says: /age/ },
  "wall:pleaseWait": upstream,
  "wall:tooManyRequests": upstream,
  "wall:loginRedirect": upstream,
  "wall:homeRedirect": upstream,
  "wall:emptyData": upstream,
  "wall:missingCsrf": upstream,
  "wall:htmlInsteadOfJson": upstream,
  "wall:schemaDrift": upstream,
  "wall:slowDrip": upstream,
  "wall:midBodyCut": upstream,
  "wall:serverError": upstream,
  "wall:endlessJson": upstream,
  expiredMedia: upstream,
  missingMedia: upstream,
  cutMedia: upstream,
  lengthTooLong: upstream,
  slowMedia: upstream,
  redirectToPrivate: upstream,
  redirectToForbidden: upstream,
  redirectLoop: upstream,
  linkToPrivate: upstream,
  linkToFile: upstream,
  endlessMedia: { ...never, says: /larger|large|big/ },
  hugeMedia: { ...never, says: /larger|large|big/ },
  photo: { ...never, says: /video/ },
  noAudio: { ...never, says: /audio|sound/ },
  undeclaredNoAudio: { ...never, says: /audio|sound/ },
  truncated: { ...never, says: /damaged/ },
  corrupt: { ...never, says: /damaged/ },
  truncatedTables: never,
  corruptTables: never,
  playlist: never,
  concatScript: never,
  htmlMedia: never,
  emptyMedia: upstream,
  unknownCodec: { ...never, says: /codec/ },
};

describe("a reel that cannot be had", () => {
  test.each(Object.entries(expected))("%s", async (kind, { status, code, says }) => {
    const asked = /slow/i.test(kind) ? hasty : service;
    const { url, standin } = asked;
    const found = standin.reels.find((reel) => reel.kind === kind);
    expect(found, "the stand-in has such a reel").toBeDefined();
    const { key } = await asked.createCaller();
    const answer = await transcribe(url, key, standin.urlOf(found!.code));
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status, body: { error: { code } } });
    if (says) expect(answer.body.error.message).toMatch(says);
    expect(answer.body.error.message, "nothing internal is told").not.toMatch(
      /127\.0\.0\.1|\/tmp|ffmpeg|ECONN|at .*\.ts|undefined/i,
    );
    expect(await used(url, key)).toBe(0);
    expect((await rest(url, "/scripts", { key })).body.total).toBe(0);
  });

  test("nobody was asked whom the platform has no business to name", () =>
    expect(service.standin.counters.of("forbidden")).toBe(0));
});

describe("a reel that only looks bad", () => {
  test.each([
    "embedOnly",
    "pageOnly",
    "jsonWalled",
    "jsonDrifted",
    "nullCaption",
    "hiddenLikes",
    "wrongContentType",
    "carousel",
  ])("%s is transcribed", async (kind) => {
    const { code } = service.standin.reels.find((reel) => reel.kind === kind)!;
    const { key } = await service.createCaller();
    const answer = await transcribe(service.url, key, service.standin.urlOf(code));
    expect(answer, JSON.stringify(answer.body)).toMatchObject({
      status: 200,
      body: { cached: false, usage: { used: 1 } },
    });
    const { body } = await rest(service.url, "/scripts", { key });
    if (kind === "nullCaption") expect(body.scripts[0]).not.toHaveProperty("caption");
    if (kind === "hiddenLikes")
      for (const field of ["likes", "views", "engagementRate"]) expect(body.scripts[0]).not.toHaveProperty(field);
  });

  test("an hour-long bomb is cut at the longest length", async () => {
    const { code } = service.standin.reels.find(({ kind }) => kind === "bomb")!;
    const { key } = await service.createCaller();
    const answer = await transcribe(service.url, key, service.standin.urlOf(code));
    expect(answer).toMatchObject({ status: 200, body: { transcript: "", truncated: true, usage: { used: 0 } } });
  });
});

test("a reel beyond the longest length is cut, and says so everywhere", async () => {
  const { code } = service.standin.reels.find(({ kind }) => kind === "fifteenMinutes")!;
  const { key } = await service.createCaller();
  const answer = await transcribe(service.url, key, service.standin.urlOf(code));
  expect(answer).toMatchObject({ status: 200, body: { language: "en", truncated: true, usage: { used: 1 } } });
  expect((await rest(service.url, "/scripts", { key })).body.scripts[0]).toMatchObject({ truncated: true });
});

test("no failure of a reel is a fault of ours", () =>
  expect([...service.faults, ...hasty.faults].map(({ error, where }) => `${where}: ${String(error)}`)).toEqual([]));
