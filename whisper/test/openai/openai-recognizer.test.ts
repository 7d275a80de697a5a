import {
  createMediaDecoder,
  createOpenAiRecognizer,
  createTranscriber,
  type DecodedMedia,
  type HeardPassage,
  type OpenAiRecognizerOptions,
  recognizerRevision,
  type Recognition,
} from "@reelscript/whisper";
import { describe, expect, onTestFinished, test } from "vitest";
import { mediaOf as recording } from "../recordings.ts";
import { type Answer, segment, startEndpoint, tone } from "./endpoint.ts";

const apiKey = "sk-very-secret-0123456789";

const mediaOf = (seconds: number, sampleAt: (index: number) => number): DecodedMedia =>
  recording(
    Float32Array.from({ length: Math.round(seconds * 16_000) }, (_, index) => sampleAt(index)),
    { chunk: 5_000 },
  );

function spoken(language: string, ...segments: readonly object[]): Answer {
  return { body: { task: "transcribe", language, duration: 3, text: "not looked at", segments } };
}

async function recognizeBy(
  answers: readonly [Answer, ...Answer[]],
  {
    media = mediaOf(3, tone),
    language,
    ...options
  }: Partial<OpenAiRecognizerOptions> & {
    readonly media?: DecodedMedia;
    readonly language?: string;
  } = {},
) {
  const endpoint = await startEndpoint(...answers);
  const recognizer = createOpenAiRecognizer({
    baseUrl: endpoint.baseUrl,
    apiKey: apiKey,
    model: "whisper-1",
    ...options,
  });
  const progress: number[] = [];
  const passages: HeardPassage[] = [];
  const { signal } = new AbortController();
  const recognize = (): Promise<Recognition> =>
    recognizer.recognize(media, {
      language,
      signal,
      onProgress: (done) => progress.push(done),
      onPassage: (passage) => passages.push(passage),
    });
  return { endpoint, recognize, progress, passages };
}

const fastSpeech =
  "Peter Piper picked a peck of pickled peppers while she sold sea shells by the sea shore and nobody else heard any of it";

describe("an answer that says more than anybody can", () => {
  test.each([
    ["one endless text", spoken("english", segment(0, 2, "word ".repeat(10_000)))],
    ["segments without end", spoken("english", ...Array.from({ length: 5_000 }, () => segment(0, 2, "a")))],
    ["no segments, but a text", { body: { language: "english", text: "字".repeat(60_000) } }],
  ])("is refused: %s", async (_, answer) => {
    const { recognize } = await recognizeBy([answer]);
    await expect(recognize()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("wrote more"),
    });
  });

  test("fast speech is not", async () => {
    const { recognize } = await recognizeBy([spoken("english", segment(0, 3, fastSpeech))]);
    expect((await recognize()).text).toBe(fastSpeech);
  });
});

describe("a request", () => {
  test("carries the audio as 16-bit WAV, the model, the key and the hint", async () => {
    const { endpoint, recognize, progress } = await recognizeBy(
      [spoken("english", segment(0.5, 2.5, " Hello there."))],
      {
        language: "en",
      },
    );
    const recognition = await recognize();
    expect(recognition).toEqual({
      text: "Hello there.",
      segments: [{ start: 0.5, end: 2.5, text: "Hello there." }],
      language: "en",
      languageProbability: null,
      seconds: 3,
      speechSeconds: 2,
      model: "whisper-1",
      words: null,
      gaps: [],
      silences: [],
      revision: recognizerRevision,
      hintDecided: true,
    });
    expect(progress).toEqual([...progress].toSorted((one, other) => one - other));
    expect(progress.at(-1)).toBe(1);
    const [request] = endpoint.requests;
    expect(request).toMatchObject({
      path: "/v1/audio/transcriptions",
      authorization: `Bearer ${apiKey}`,
      fields: { model: "whisper-1", response_format: "verbose_json", language: "en" },
      fileName: "audio.wav",
    });
    const wav = request?.wav ?? new DataView(new ArrayBuffer(0));
    expect(wav.byteLength).toBe(44 + 3 * 16_000 * 2);
    expect([wav.getUint16(20, true), wav.getUint16(22, true), wav.getUint32(24, true)]).toEqual([1, 1, 16_000]);
    for (const index of [0, 1, 17, 47_999])
      expect(wav.getInt16(44 + index * 2, true) / 32_767).toBeCloseTo(tone(index), 4);
  });

  test("names no language without a hint, and takes a base URL with a slash", async () => {
    const endpoint = await startEndpoint(spoken("en", segment(0, 3, "Yes.")));
    const recognizer = createOpenAiRecognizer({ baseUrl: `${endpoint.baseUrl}/`, model: "m" });
    await recognizer.recognize(mediaOf(3, tone), { signal: new AbortController().signal });
    expect(endpoint.requests[0]?.fields).not.toHaveProperty("language");
    expect(endpoint.requests[0]?.authorization).toBeUndefined();
    expect(endpoint.requests[0]?.path).toBe("/v1/audio/transcriptions");
  });

  test("is not made for digital silence", async () => {
    const { endpoint, recognize } = await recognizeBy([spoken("en", segment(0, 3, "Thank you."))], {
      media: mediaOf(3, () => 0),
    });
    expect(await recognize()).toMatchObject({ text: "", language: "und", seconds: 3, speechSeconds: 0, segments: [] });
    expect(endpoint.requests).toHaveLength(0);
  });

  test("is made per piece, cut in the pause, with times that go on", async () => {
    const pauseFrom = 9.4 * 16_000;
    const media = mediaOf(15, (index) => (index > pauseFrom && index < pauseFrom + 4800 ? 0.0001 : tone(index)));
    const { endpoint, recognize, passages } = await recognizeBy(
      [spoken("german", segment(1, 9, "Erster Teil.")), spoken("german", segment(0, 5, "Zweiter Teil."))],
      { media, pieceSeconds: 10 },
    );
    const recognition = await recognize();
    const [first = 0, second = 0] = endpoint.requests.map(({ wav }) => (wav.byteLength - 44) / 32_000);
    expect(first).toBeGreaterThan(9.4);
    expect(first).toBeLessThan(9.7);
    expect(first + second).toBeCloseTo(15, 5);
    expect(recognition.text).toBe("Erster Teil. Zweiter Teil.");
    expect(recognition.segments[1]?.start).toBeCloseTo(first, 5);
    expect(recognition.language).toBe("de");
    expect(passages, "each is passed on when it is there").toEqual(
      recognition.segments.map((one) => ({ language: "de", segments: [one] })),
    );
  });
});

test("a media file goes through the embedded decoder to the endpoint", async () => {
  const endpoint = await startEndpoint(spoken("italian", segment(0, 2.5, "Un tono che sale.")));
  const transcriber = createTranscriber({
    decoder: await createMediaDecoder({ ffmpegPath: "embedded" }),
    recognizer: createOpenAiRecognizer({ baseUrl: endpoint.baseUrl, model: "whisper-1" }),
    maxSeconds: 2,
  });
  onTestFinished(() => transcriber.close());
  const path = new URL("../fixtures/chirp.mp4", import.meta.url).pathname;
  expect(await transcriber.transcribe(path, { signal: new AbortController().signal })).toMatchObject({
    text: "Un tono che sale.",
    language: "it",
    seconds: 2,
    truncated: true,
  });
  expect(endpoint.requests[0]?.wav.byteLength).toBe(44 + 2 * 16_000 * 2);
});

describe("languages", () => {
  test.each([
    ["english", "en"],
    ["pt-BR", "pt"],
    ["Spanish", "es"],
    ["castilian", "es"],
    ["malay", "id"],
    ["ms", "id"],
  ])("%s is %s", async (reported, language) => {
    const { recognize } = await recognizeBy([spoken(reported, segment(0, 3, "Satu dua."))]);
    expect(await recognize()).toMatchObject({ language });
  });

  test.each([
    ["urdu", "یہ ایک جملہ ہے"],
    ["hindi", "यह एक वाक्य है"],
  ])("%s is hi", async (reported, text) => {
    const { recognize } = await recognizeBy([spoken(reported, segment(0, 3, text))]);
    expect(await recognize()).toMatchObject({ language: "hi", text });
  });

  test.each([
    ["japanese", "ja"],
    ["norwegian", "no"],
    ["javanese", "jv"],
    ["haitian creole", "ht"],
  ])("%s is not supported", async (reported, language) => {
    const { recognize } = await recognizeBy([spoken(reported, segment(0, 3, "..."))]);
    await expect(recognize()).rejects.toMatchObject({ code: "unsupportedLanguage", language, model: "whisper-1" });
  });

  test("a server that does not say is believed to have heard the hint, and refused without one", async () => {
    const silentAboutIt: Answer = { body: { text: "Bonjour." } };
    const hinted = await recognizeBy([silentAboutIt], { language: "fr" });
    expect(await hinted.recognize()).toMatchObject({ language: "fr", text: "Bonjour." });
    const bare = await recognizeBy([silentAboutIt]);
    await expect(bare.recognize()).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("what is not to be trusted", () => {
  test("text over silence is left out", async () => {
    const overSilence = segment(0, 3, " Thank you.", { no_speech_prob: 0.7, avg_logprob: -1.3 });
    const { recognize } = await recognizeBy([spoken("english", overSilence)]);
    expect(await recognize()).toMatchObject({ text: "", language: "und", speechSeconds: 0, segments: [] });
  });

  test.each([
    ["a loop within a segment", [segment(0, 3, "one more time ".repeat(40))]],
    ["a loop over segments", Array.from({ length: 30 }, (_, at) => segment(at / 10, (at + 1) / 10, "And again."))],
    ["a loop of tokens", [segment(0, 3, "Na na", { tokens: Array.from({ length: 30 }, () => 7) })]],
    ["doubtful text", [segment(0, 3, "mumble", { avg_logprob: -1.4 })]],
    ["Latin letters for Hindi", [segment(0, 3, "yah ek vakya hai")], "hindi"],
  ])("%s is `notRecognized`", async (_what, segments, language = "english") => {
    const { recognize } = await recognizeBy([spoken(language, ...segments)]);
    await expect(recognize()).rejects.toMatchObject({ code: "notRecognized", model: "whisper-1" });
  });

  test("a smaller part is left out and named as a gap", async () => {
    const { recognize, passages } = await recognizeBy([
      spoken("english", segment(0, 2, "Good text."), segment(2, 3, "bad", { avg_logprob: -1.5 })),
    ]);
    expect(await recognize()).toMatchObject({
      text: "Good text.",
      speechSeconds: 3,
      gaps: [{ start: 2, end: 3, reason: "lowConfidence" }],
    });
    expect(passages).toMatchObject([{ language: "en", segments: [{ text: "Good text." }] }]);
  });

  test("times outside of the piece are drawn in", async () => {
    const { recognize } = await recognizeBy([spoken("en", segment(-1, 2, "One."), segment(1, 99, "Two."))]);
    expect((await recognize()).segments).toMatchObject([
      { start: 0, end: 2 },
      { start: 2, end: 3 },
    ]);
  });
});

describe("a server that fails", () => {
  const good = spoken("english", segment(0, 3, "Hello."));

  test.each([
    ["is busy", { status: 429, headers: { "retry-after": "0" }, body: {} }],
    ["is broken for a moment", { status: 503, headers: { "retry-after": "0" }, body: "oops" }],
    ["says when as a date", { status: 429, headers: { "retry-after": new Date(0).toUTCString() }, body: {} }],
  ])("that %s is asked again", async (_how, bad) => {
    const { endpoint, recognize } = await recognizeBy([bad, good]);
    expect(await recognize()).toMatchObject({ text: "Hello." });
    expect(endpoint.requests).toHaveLength(2);
  });

  test.each<[string, Answer, number]>([
    ["asks for a longer wait than allowed", { status: 429, headers: { "retry-after": "3600" }, body: {} }, 1],
    ["stays broken", { status: 500, headers: { "retry-after": "0" }, body: `secret ${apiKey}` }, 3],
    ["refuses the key", { status: 401, body: { error: { message: `Incorrect API key provided: ${apiKey}` } } }, 1],
    ["forbids", { status: 403, body: {} }, 1],
    ["does not know the path", { status: 404, body: {} }, 1],
    ["redirects", { status: 307, headers: { location: "http://127.0.0.1:9/" }, body: "" }, 1],
    ["answers with a page", { body: "<!doctype html>" }, 1],
    ["answers with a list", { body: [] }, 1],
    ["answers with broken segments", { body: { text: "a", language: "en", segments: [{ start: "x" }] } }, 1],
    ["drops the connection", { body: "drop" }, 3],
  ])("that %s is `unavailable`", async (_how, bad, requests) => {
    const { endpoint, recognize } = await recognizeBy([bad]);
    const error: unknown = await recognize().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unavailable" });
    expect(JSON.stringify([String(error), (error as Error).stack, (error as Error).cause])).not.toContain(apiKey);
    expect(endpoint.requests).toHaveLength(requests);
  });

  test("that does not answer is `unavailable`, or `aborted` when the caller goes first", async () => {
    const slow = await recognizeBy([{ body: "hang" }], { requestSeconds: 0.2 });
    await expect(slow.recognize()).rejects.toMatchObject({ code: "unavailable" });
    const endpoint = await startEndpoint({ body: "hang" });
    const recognizer = createOpenAiRecognizer({ baseUrl: endpoint.baseUrl, model: "m" });
    const signal = AbortSignal.timeout(200);
    await expect(recognizer.recognize(mediaOf(1, tone), { signal })).rejects.toMatchObject({ code: "aborted" });
  });

  test.each(["", "ftp://example.org/v1", "not a url", "http://user:secret@127.0.0.1/v1"])(
    "base URL %j is refused before anything is sent",
    async (baseUrl) => {
      const recognizer = createOpenAiRecognizer({ baseUrl, model: "m", apiKey: apiKey });
      await expect(recognizer.ready()).rejects.toMatchObject({ code: "unavailable" });
    },
  );
});
