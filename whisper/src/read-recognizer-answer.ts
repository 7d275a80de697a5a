import * as z from "zod";
import type { RecognizerAnswer } from "./recognizer-protocol.ts";
import { whisperErrorCodes } from "./whisper-error.ts";

/** More than anybody says in the longest recording that is taken, a day. */
const mostCharacters = 10_000_000;
const mostParts = 2_000_000;

const count = z.int().nonnegative();
const job = count;
const seconds = z.number().nonnegative();
const share = z.number().min(0).max(1);
const language = z.string().regex(/^[a-z]{2,3}$/);
const text = z.string().max(mostCharacters);
const model = z.string().min(1).max(1_000);

const listOf = <Part extends z.ZodType>(part: Part) => z.array(part).max(mostParts);
const orUndefined = <Part extends z.ZodType>(part: Part) => part.optional().transform((value) => value);
const segments = listOf(z.object({ start: seconds, end: seconds, text, isUnsure: z.literal(true).exactOptional() }));
const gapReason = z.enum(["repetition", "wrongScript", "lowConfidence", "noText", "skipped"]);
const silenceReason = z.enum(["noSpeech", "tooShort"]);

const words = listOf(z.object({ start: seconds, end: seconds, text, probability: share.exactOptional() }));
const gaps = listOf(z.object({ start: seconds, end: seconds, reason: gapReason }));
const silences = listOf(z.object({ start: seconds, end: seconds, reason: silenceReason }));

const detection = { language, languageProbability: share.nullable(), hintDecided: z.boolean() };

const recognition = z.object({
  ...detection,
  text,
  segments,
  words: words.nullable(),
  gaps,
  silences,
  seconds,
  speechSeconds: seconds,
  model,
  revision: count,
});

const finished = z.object({
  until: seconds,
  silentWindows: listOf(z.tuple([seconds, seconds])),
  likeliest: language,
  language: z.object({ language, probability: share, hintDecided: z.boolean() }).nullable(),
  segments,
  gaps,
  silences,
  words: listOf(words).nullable(),
  rescues: z.number(),
});

const failure = z.object({
  code: z.enum(whisperErrorCodes),
  message: z.string().max(mostCharacters),
  language: orUndefined(language),
  model: orUndefined(model),
});

const answer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("alive"), modelRuns: count }),
  z.object({ type: z.literal("loaded") }),
  z.object({ type: z.literal("notLoaded"), failure }),
  z.object({ type: z.literal("progress"), job, seconds }),
  z.object({ type: z.literal("passage"), job, passage: z.object({ language, segments }) }),
  z.object({ type: z.literal("draft"), job, draft: orUndefined(z.object({ language, text })) }),
  z.object({
    type: z.literal("window"),
    job,
    window: z.object({
      start: seconds,
      end: seconds,
      verdict: z.enum(["kept", "heardAgain", ...gapReason.options, ...silenceReason.options]),
      noSpeech: share.nullable(),
      confidence: z.number().nullable(),
    }),
  }),
  z.object({ type: z.literal("finished"), job, finished }),
  z.object({ type: z.literal("done"), job, recognition }),
  z.object({ type: z.literal("handOver"), job, detection: z.object(detection) }),
  z.object({ type: z.literal("failed"), job, failure }),
]);

/**
 * Reads a message of a recognizer's process, dropping all but the agreed fields; `undefined` if it is malformed. The process
 * reads strangers' recordings: a hostile one might take it over, and must not speak for another transcription then.
 */
export function readRecognizerAnswer(message: unknown): RecognizerAnswer | undefined {
  return answer.safeParse(message).data;
}
