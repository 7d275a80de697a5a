import { sampleRate } from "../recognition/signal/audio-format.ts";
import { countedAs, isSupportedLanguage } from "../recognition/languages.ts";
import type { DecodedMedia } from "../decoded-media.ts";
import { createProgressReport } from "../progress-report.ts";
import { recognizerRevision } from "../recognizer-revision.ts";
import { joinWords } from "../recognition/words/word-times.ts";
import type { Gap, Recognizer, RecognizeOptions, Recognition, Segment, Word } from "../transcriber.ts";
import { gaveUp, unavailable, WhisperError } from "../whisper-error.ts";
import { alignWords } from "./align-words.ts";
import { type AudioPiece, audioPieces, wavFile } from "./audio-pieces.ts";
import { judgeSegments } from "./judge-segments.ts";
import { type EndpointOptions, requestTranscription, transcriptionUrl } from "./transcription-endpoint.ts";
import {
  readVerboseTranscription,
  type ReportedSegment,
  saysTooMuch,
  type VerboseTranscription,
} from "./verbose-transcription.ts";

export interface OpenAiRecognizerOptions extends EndpointOptions {
  /** Longest piece that is sent in one request. */
  readonly pieceSeconds?: number | undefined;
}

interface HeardPiece {
  readonly language: string;
  readonly segments: readonly Segment[];
  readonly words: readonly Word[] | null;
  readonly gaps: readonly Gap[];
  readonly speechSeconds: number;
  readonly keptSeconds: number;
}

/** One step of 16-bit audio: below it nothing is left after the conversion. */
const leastSignal = 1 / 32_768;
const leastShareKept = 0.5;

/** Recognizes by an OpenAI-compatible endpoint (`/audio/transcriptions`, `verbose_json`). */
export function createOpenAiRecognizer(options: OpenAiRecognizerOptions): Recognizer {
  const { model } = options;

  async function recognize(
    media: DecodedMedia,
    { task, language, signal, onProgress, onPassage, onWork }: RecognizeOptions,
  ): Promise<Recognition> {
    if (task === "translate") throw new TypeError("an endpoint only transcribes");
    const progress = createProgressReport(media, onProgress);
    const pieces: HeardPiece[] = [];
    let seconds = 0;
    for await (const piece of audioPieces(media.samples, options.pieceSeconds ?? 600)) {
      if (signal.aborted) throw gaveUp();
      seconds += piece.samples.length / sampleRate;
      if (hasSignal(piece.samples)) {
        const answer = await whileWorking(onWork, hear(options, piece, language, signal));
        pieces.push(answer);
        const { language: spoken, segments } = answer;
        if (segments.length > 0 && isSupportedLanguage(spoken)) onPassage?.({ language: spoken, segments });
      }
      progress.recognized(seconds);
    }
    progress.finished();
    // Without the hint the endpoint might hear something else: we don't know.
    return { ...join(pieces, seconds, model), hintDecided: language !== undefined };
  }

  return {
    model,
    recognize,
    ready: async () => {
      transcriptionUrl(options.baseUrl);
    },
    close: async () => undefined,
  };
}

const workMilliseconds = 1_000;

/** An endpoint says nothing while it works; a request that takes too long is given up. */
async function whileWorking<Result>(onWork: RecognizeOptions["onWork"], work: Promise<Result>): Promise<Result> {
  const timer = onWork && setInterval(onWork, workMilliseconds);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

async function hear(
  options: EndpointOptions,
  piece: AudioPiece,
  hint: string | undefined,
  signal: AbortSignal,
): Promise<HeardPiece> {
  const seconds = piece.samples.length / sampleRate;
  const answer = await requestTranscription(options, wavFile(piece.samples), hint, signal);
  const transcription = readVerboseTranscription(answer, seconds);
  if (transcription === null) throw unavailable("The transcription endpoint gave an answer that is not verbose_json.");

  if (saysTooMuch(transcription, seconds))
    throw unavailable("The transcription endpoint wrote more than anybody can say in the time.");

  const reported = transcription.language ?? hint ?? null;
  const language = reported === null ? null : countedAs(reported);
  const judged = judgeSegments(
    transcription.segments,
    language !== null && isSupportedLanguage(language) ? language : null,
  );
  if (language === null && judged.speechSeconds > 0)
    throw unavailable("The transcription endpoint does not say which language it heard.");

  return {
    language: language ?? "und",
    segments: judged.accepted.map(({ start, end, text }) => ({
      start: piece.startSeconds + start,
      end: piece.startSeconds + end,
      text: text.trim(),
    })),
    words: wordsOf(transcription, judged.accepted, piece.startSeconds),
    gaps: judged.gaps.map(({ start, end, reason }) => ({
      start: piece.startSeconds + start,
      end: piece.startSeconds + end,
      reason,
    })),
    speechSeconds: judged.speechSeconds,
    keptSeconds: judged.keptSeconds,
  };
}

/** The words of the segments that are kept; `null` when the endpoint's can't be aligned with its text. */
function wordsOf(
  { segments, words }: VerboseTranscription,
  keptSegments: readonly ReportedSegment[],
  startSeconds: number,
): Word[] | null {
  if (keptSegments.length === 0) return [];
  const aligned = words && alignWords(segments, words);
  if (!aligned) return null;
  const isKept = new Set(keptSegments);
  return segments
    .flatMap((segment, index) => (isKept.has(segment) ? (aligned[index] ?? []) : []))
    .map(({ start, end, text }) => ({ start: startSeconds + start, end: startSeconds + end, text }));
}

function join(pieces: readonly HeardPiece[], seconds: number, model: string): Omit<Recognition, "hintDecided"> {
  const speechSeconds = sumOf(pieces, (piece) => piece.speechSeconds);
  const language = dominantLanguage(pieces);
  const segments = pieces.flatMap((piece) => piece.segments);
  const probabilities = {
    seconds,
    speechSeconds,
    silences: [],
    languageProbability: null,
    model,
    revision: recognizerRevision,
  };
  if (segments.length === 0 && speechSeconds === 0)
    return { ...probabilities, text: "", segments: [], words: null, gaps: [], language: "und" };

  if (!isSupportedLanguage(language))
    throw new WhisperError("unsupportedLanguage", `The endpoint heard the language ${language}.`, { language, model });

  const keptSeconds = sumOf(pieces, (piece) => piece.keptSeconds);
  if (segments.length === 0 || keptSeconds < speechSeconds * leastShareKept)
    throw new WhisperError("notRecognized", `${model} could not write down most of the speech (${language}).`, {
      language,
      model,
    });

  const text = segments.map((segment) => segment.text).join(" ");
  const gaps = pieces.flatMap((piece) => piece.gaps);
  const lists = pieces.map((piece) => piece.words);
  const words = lists.every((list) => list !== null) ? joinWords(lists) : null;
  return { ...probabilities, text, segments, words, gaps, language };
}

/** The one in which most seconds were spoken. */
function dominantLanguage(pieces: readonly HeardPiece[]): string {
  const seconds = new Map<string, number>();
  for (const { language, speechSeconds } of pieces) seconds.set(language, (seconds.get(language) ?? 0) + speechSeconds);

  const ranked = [...seconds].toSorted(([, one], [, other]) => other - one);
  return ranked[0]?.[0] ?? "und";
}

function hasSignal(samples: Float32Array): boolean {
  return samples.some((sample) => Math.abs(sample) >= leastSignal);
}

function sumOf(pieces: readonly HeardPiece[], figure: (piece: HeardPiece) => number): number {
  return pieces.reduce((sum, piece) => sum + figure(piece), 0);
}
