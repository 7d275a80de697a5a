import { createOpenAiRecognizer, WhisperError, type Recognizer } from "@reelscript/whisper";
import { describe, expect, onTestFinished, test } from "vitest";
import { rest, transcribe, transcribeLater, used } from "../harness/rest.ts";
import { startEndpoint } from "../harness/start-endpoint.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";

/** Listens to the end, and hears the same sentence in whatever makes a sound. */
const recognizer = async (): Promise<Recognizer> => ({
  model: "one-sentence",
  ready: async () => undefined,
  close: async () => undefined,
  async recognize({ samples }) {
    let count = 0;
    let loudest = 0;
    for await (const chunk of samples) {
      count += chunk.length;
      for (const sample of chunk) loudest = Math.max(loudest, Math.abs(sample));
    }
    const seconds = count / 16_000;
    const text = loudest > 0.01 ? "The same sentence for every reel." : "";
    return {
      text,
      segments: text === "" ? [] : [{ start: 0, end: seconds, text }],
      words: null,
      gaps: [],
      silences: [],
      language: text === "" ? "und" : "en",
      languageProbability: null,
      seconds,
      speechSeconds: text === "" ? 0 : seconds,
      model: "one-sentence",
      revision: 1,
      hintDecided: false,
    };
  },
});

const options = {
  recognizer,
  rateLimits: { transcribe: 10_000 },
  maxMediaBytes: 20_000_000,
  maxAudioSeconds: 20,
};
const service = serviceOfTests(options);
/** For what never ends by itself; all else may take its time. */
const hasty = serviceOfTests({ ...options, fetchLimits: { pageSeconds: 2, mediaSeconds: 4, silenceSeconds: 2 } });

/** Why each kind of reel that cannot be had is refused. */
const refusals: readonly (readonly [status: number, reason: string, kinds: readonly string[]])[] = [
  [404, "reelPrivate", ["private", "privateShown", "privateShortCode"]],
  [404, "reelDeleted", ["deleted"]],
  [404, "reelAgeRestricted", ["ageGated", "gatedWithoutReason"]],
  [404, "reelRegionRestricted", ["regionGated"]],
  [
    502,
    "platformRefused",
    [
      "wall:pleaseWait",
      "wall:tooManyRequests",
      "wall:loginRedirect",
      "wall:loginRoute",
      "wall:homeRedirect",
      "wall:emptyData",
      "wall:missingCsrf",
      "wall:htmlInsteadOfJson",
    ],
  ],
  [
    502,
    "platformChanged",
    [
      "wall:schemaDrift",
      "wall:endlessJson",
      "redirectToPrivate",
      "redirectToForbidden",
      "redirectLoop",
      "linkToPrivate",
      "linkToFile",
    ],
  ],
  [
    502,
    "platformUnreachable",
    [
      "wall:slowDrip",
      "wall:midBodyCut",
      "wall:serverError",
      "expiredMedia",
      "missingMedia",
      "cutMedia",
      "lengthTooLong",
      "lengthTooShort",
      "slowMedia",
      "emptyMedia",
    ],
  ],
  [422, "videoTooLarge", ["endlessMedia", "hugeMedia"]],
  [422, "notAVideo", ["photo"]],
  [422, "noAudio", ["noAudio", "noSound", "undeclaredNoAudio"]],
  [
    422,
    "unreadableMedia",
    [
      "truncated",
      "truncatedTables",
      "corrupt",
      "corruptTables",
      "playlist",
      "concatScript",
      "htmlMedia",
      "unknownCodec",
    ],
  ],
];

/** Kinds that only look bad. */
const transcribed = [
  "embedOnly",
  "pageOnly",
  "jsonWalled",
  "jsonDrifted",
  "unknownToPage",
  "unknownToQuery",
  "endedOnceMedia",
  "nullCaption",
  "hiddenLikes",
  "wrongContentType",
  "carousel",
];

describe("a reel that cannot be had", () => {
  test.each(refusals.flatMap(([status, reason, kinds]) => kinds.map((kind) => [kind, status, reason] as const)))(
    "%s is %i, %s",
    async (kind, status, reason) => {
      const askedService = /slow/i.test(kind) ? hasty : service;
      const { url, standin } = askedService;
      const reelOfKind = standin.reels.find((reel) => reel.kind === kind);
      expect(reelOfKind, "the stand-in has such a reel").toBeDefined();
      const { key } = await askedService.createCaller();
      const answer = await transcribe(url, key, standin.urlOf(reelOfKind!.code));
      expect([answer.status, answer.headers.get("x-error-reason")], JSON.stringify(answer.body)).toEqual([
        status,
        reason,
      ]);
      expect(answer.body.error.message, "nothing internal is told").not.toMatch(
        /127\.0\.0\.1|\/tmp|ffmpeg|ECONN|at .*\.ts|undefined/i,
      );
      expect(await used(url, key)).toBe(0);
      expect((await rest(url, "/scripts", { key })).body.total).toBe(0);
    },
  );

  test("every wall, gate and fault of the stand-in is among them", () => {
    const isOdd = ({ wall, availability, media }: (typeof service.standin.reels)[number]): boolean =>
      wall !== undefined || availability !== "public" || media.some(({ fault, type }) => fault || type === "photo");
    const tried = [...transcribed, ...refusals.flatMap(([, , kinds]) => kinds)];
    expect(tried).toEqual(expect.arrayContaining(service.standin.reels.filter(isOdd).map(({ kind }) => kind)));
  });

  test("nobody was asked whom the platform has no business to name", () =>
    expect(service.standin.counters.of("forbidden")).toBe(0));
});

describe("a reel that only looks bad", () => {
  test.each(transcribed)("%s is transcribed", async (kind) => {
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

test("a fresh reel gets an uncharged 503 while the recognizer is unavailable", async () => {
  const away = () => Promise.reject(new WhisperError("unavailable", "it is away"));
  const alone = await serviceOfTest({ recognizer: async () => ({ ...(await recognizer()), recognize: away }) });
  const { key } = await alone.createCaller();
  const { status, headers } = await transcribe(alone.url, key, alone.standin.urlOf("CenAusten01"));
  expect([status, headers.get("x-error-reason"), headers.get("retry-after")]).toEqual([
    503,
    "recognizerUnavailable",
    "60",
  ]);
  expect(await used(alone.url, key)).toBe(0);
});

test("while an endpoint refuses the key, reels wait until it doesn't", async () => {
  const endpoint = await startEndpoint({ text: "It was the best of times.", language: "english", seconds: 3 });
  onTestFinished(() => endpoint.close());
  endpoint.refusesKeys = true;
  const { baseUrl } = endpoint;
  const waiting = await serviceOfTest({
    recognizer: async () => createOpenAiRecognizer({ baseUrl, apiKey: "key", model: "whisper-1" }),
    outageSeconds: 600,
  });
  const { key } = await waiting.createCaller();
  const ids = await Promise.all(
    ["CenAusten01", "CenWeasels1", "CenAmiable1"].map((code) =>
      transcribeLater(waiting.url, key, waiting.standin.urlOf(code)),
    ),
  );
  const bodiesOf = async () =>
    (await Promise.all(ids.map((id) => rest(waiting.url, `/transcriptions/${id}`, { key })))).map(({ body }) => body);
  const statusesOf = async () => (await bodiesOf()).map(({ status }) => status);
  await expect.poll(() => endpoint.requests.length).toBeGreaterThan(2);
  expect(await statusesOf()).not.toContain("failed");
  await expect
    .poll(async () => (await bodiesOf()).map(({ status, waitingFor }) => ({ status, waitingFor })))
    .toContainEqual({ status: "queued", waitingFor: "recognizer" });
  const requestCount = endpoint.requests.length;
  endpoint.refusesKeys = false;
  await expect.poll(statusesOf).toEqual(["done", "done", "done"]);
  expect(requestCount, "one at a time, and ever more seldom").toBeLessThan(6);
  expect(await used(waiting.url, key)).toBe(3);
});
