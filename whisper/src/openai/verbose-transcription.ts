import { isJsonObject, type JsonObject } from "../recognition/json-fields.ts";
import { languageSubtag } from "./language-subtag.ts";

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
}

/** Reads a `verbose_json` answer about a piece of `seconds`; `null` when it is none. */
export function readVerboseTranscription(answer: unknown, seconds: number): VerboseTranscription | null {
  if (!isJsonObject(answer) || typeof answer.text !== "string") return null;
  const language = typeof answer.language === "string" ? languageSubtag(answer.language) : null;
  if (!Array.isArray(answer.segments)) {
    const whole = { start: 0, end: seconds, text: answer.text, tokens: [], noSpeech: null, confidence: null };
    return { language, segments: answer.text.trim() === "" ? [] : [whole] };
  }
  const segments: ReportedSegment[] = [];
  for (const value of answer.segments as readonly unknown[]) {
    const segment = isJsonObject(value) ? readSegment(value, seconds, segments.at(-1)?.end ?? 0) : null;
    if (segment === null) return null;
    segments.push(segment);
  }
  return { language, segments };
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
