import { isJsonObject, type JsonObject } from "../recognition/decoder/json-fields.ts";
import type { ReportedWord } from "./align-words.ts";

export interface ReportedSegment {
  /** Seconds from the beginning of the piece. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly tokens: readonly number[];
  /** `null` where the endpoint does not say. */
  readonly noSpeech: number | null;
  readonly confidence: number | null;
}

export interface VerboseTranscription {
  /** Primary subtag, or `null` when the endpoint does not say. */
  readonly language: string | null;
  readonly segments: readonly ReportedSegment[];
  /** `null` when the endpoint gives no times of words, or such that can't be read. */
  readonly words: readonly ReportedWord[] | null;
}

/** Nobody says as much in a second, in any script. What is beyond that was not heard, whoever wrote it. */
const mostCharactersPerSecond = 100;
const mostSegmentsPerSecond = 20;
/** Short pieces may hold a whole word or two more. */
const slackSeconds = 5;

/** True if a response about a piece of `seconds` has more text than anybody can say in that time. */
export function saysTooMuch({ segments }: VerboseTranscription, seconds: number): boolean {
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0);
  return (
    characters > (seconds + slackSeconds) * mostCharactersPerSecond ||
    segments.length > (seconds + slackSeconds) * mostSegmentsPerSecond
  );
}

/** Reads a `verbose_json` response about a piece of `seconds`; `null` if it is malformed. */
export function readVerboseTranscription(answer: unknown, seconds: number): VerboseTranscription | null {
  if (!isJsonObject(answer) || typeof answer.text !== "string") return null;
  const language = typeof answer.language === "string" ? languageSubtag(answer.language) : null;
  const words = readWords(answer, seconds);
  if (!Array.isArray(answer.segments)) {
    const whole = { start: 0, end: seconds, text: answer.text, tokens: [], noSpeech: null, confidence: null };
    return { language, segments: answer.text.trim() === "" ? [] : [whole], words };
  }
  const segments: ReportedSegment[] = [];
  for (const value of answer.segments as readonly unknown[]) {
    const segment = isJsonObject(value) ? readSegment(value, seconds, segments.at(-1)?.end ?? 0) : null;
    if (segment === null) return null;
    segments.push(segment);
  }
  return { language, segments, words };
}

/** Words are beside the segments, or in them. */
function readWords(answer: JsonObject, seconds: number): ReportedWord[] | null {
  const lists = Array.isArray(answer.words)
    ? [answer.words]
    : Array.isArray(answer.segments)
      ? answer.segments.map((segment: unknown) => (isJsonObject(segment) ? segment.words : undefined))
      : [];
  const words: ReportedWord[] = [];
  for (const list of lists) {
    if (!Array.isArray(list)) return null;
    for (const value of list as readonly unknown[]) {
      if (!isJsonObject(value) || typeof value.word !== "string") return null;
      const start = finite(value.start);
      const end = finite(value.end);
      if (start === null || end === null) return null;
      const from = Math.min(seconds, Math.max(0, start));
      words.push({ start: from, end: Math.min(seconds, Math.max(from, end)), text: value.word });
    }
  }
  return words.length > 0 ? words : null;
}

function readSegment(value: JsonObject, seconds: number, earliest: number): ReportedSegment | null {
  const { text, tokens } = value;
  const start = finite(value.start);
  const end = finite(value.end);
  if (typeof text !== "string" || start === null || end === null) return null;
  const from = Math.min(seconds, Math.max(earliest, start));
  return {
    start: from,
    end: Math.min(seconds, Math.max(from, end)),
    text,
    tokens: Array.isArray(tokens) ? tokens.filter((token): token is number => finite(token) !== null) : [],
    noSpeech: finite(value.no_speech_prob),
    confidence: finite(value.avg_logprob),
  };
}

function finite(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

const whisperLanguages = [
  "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml",
  "cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am",
  "yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su yue",
]
  .join(" ")
  .split(" ");

/** Names that Whisper's own list has and today's English does not. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["castilian", "es"],
  ["valencian", "ca"],
  ["flemish", "nl"],
  ["mandarin", "zh"],
  ["haitian", "ht"],
  ["letzeburgesch", "lb"],
  ["pushto", "ps"],
  ["panjabi", "pa"],
  ["moldavian", "ro"],
  ["moldovan", "ro"],
  ["sinhalese", "si"],
  ["myanmar", "my"],
  ["nynorsk", "nn"],
  ["tagalog", "tl"],
]);

const languageByName: ReadonlyMap<string, string> = new Map([...englishNames(), ...otherNames]);

/** The primary subtag of what an endpoint calls a language: "english", "en", "en-US"; `null` when it names none. */
function languageSubtag(reported: string): string | null {
  const name = reported.trim().toLowerCase();
  const byName = languageByName.get(name);
  if (byName !== undefined) return byName;
  const subtag = /^([a-z]{2,3})(?:[-_]|$)/.exec(name)?.[1];
  if (subtag === undefined || subtag === "und") return null;
  return subtag === "jw" ? "jv" : subtag;
}

function englishNames(): [string, string][] {
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  return whisperLanguages.map((subtag) => [(names.of(subtag) ?? subtag).toLowerCase(), subtag]);
}
