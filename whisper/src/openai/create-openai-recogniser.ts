import { SAMPLE_RATE } from "../recognition/audio-format.ts";
import { countedAs, isSupportedLanguage } from "../recognition/languages.ts";
import type { DecodedMedia } from "../decoded-media.ts";
import type { Recogniser, RecogniseOptions, Recognition, Segment } from "../transcriber.ts";
import { WhisperError } from "../whisper-error.ts";
import { type AudioPiece, audioPieces } from "./audio-pieces.ts";
import { judgeSegments } from "./judge-segments.ts";
import { type EndpointOptions, requestTranscription, transcriptionUrl } from "./transcription-endpoint.ts";
import { readVerboseTranscription } from "./verbose-transcription.ts";
import { wavFile } from "./wav-file.ts";

export interface OpenAiRecogniserOptions extends EndpointOptions {
  /** Longest piece that is sent in one request. */
  readonly pieceSeconds?: number | undefined;
}

interface HeardPiece {
  readonly language: string;
  readonly segments: readonly Segment[];
  readonly speechSeconds: number;
  readonly keptSeconds: number;
}

/** One step of 16-bit audio: below it nothing is left after the conversion. */
const LEAST_SIGNAL = 1 / 32_768;
const LEAST_SHARE_KEPT = 0.5;

/** Recognises by an OpenAI-compatible endpoint (`/audio/transcriptions`, `verbose_json`). */
export function createOpenAiRecogniser(options: OpenAiRecogniserOptions): Recogniser {
  const { model } = options;

  async function recognise(
    media: DecodedMedia,
    { language, signal, onProgress }: RecogniseOptions,
  ): Promise<Recognition> {
    let mediaSeconds = Number.POSITIVE_INFINITY;
    media.info.then(
      ({ durationSeconds }) => {
        mediaSeconds = durationSeconds ?? mediaSeconds;
      },
      () => {},
    );
    const pieces: HeardPiece[] = [];
    let seconds = 0;
    for await (const piece of audioPieces(media.samples, options.pieceSeconds ?? 600)) {
      if (signal.aborted) throw new WhisperError("aborted", "The caller gave up.");
      seconds += piece.samples.length / SAMPLE_RATE;
      if (hasSignal(piece.samples)) pieces.push(await hear(options, piece, language, signal));
      onProgress?.(Math.min(1, seconds / Math.max(seconds, mediaSeconds)));
    }
    onProgress?.(1);
    return join(pieces, seconds, model);
  }

  return {
    model,
    recognise,
    ready: async () => {
      transcriptionUrl(options.baseUrl);
    },
    close: async () => {},
  };
}

async function hear(
  options: EndpointOptions,
  piece: AudioPiece,
  hint: string | undefined,
  signal: AbortSignal,
): Promise<HeardPiece> {
  const seconds = piece.samples.length / SAMPLE_RATE;
  const answer = await requestTranscription(options, wavFile(piece.samples), hint, signal);
  const transcription = readVerboseTranscription(answer, seconds);
  if (transcription === null) {
    throw new WhisperError("unavailable", "The transcription endpoint gave an answer that is no verbose_json.");
  }
  const reported = transcription.language ?? hint ?? null;
  const language = reported === null ? null : countedAs(reported);
  const judged = judgeSegments(
    transcription.segments,
    language !== null && isSupportedLanguage(language) ? language : null,
  );
  if (language === null && judged.speechSeconds > 0) {
    throw new WhisperError("unavailable", "The transcription endpoint does not say which language it heard.");
  }
  return {
    language: language ?? "und",
    segments: judged.kept.map(({ start, end, text }) => ({
      start: piece.startSeconds + start,
      end: piece.startSeconds + end,
      text: text.trim(),
    })),
    speechSeconds: judged.speechSeconds,
    keptSeconds: judged.keptSeconds,
  };
}

function join(pieces: readonly HeardPiece[], seconds: number, model: string): Recognition {
  const speechSeconds = sumOf(pieces, (piece) => piece.speechSeconds);
  const language = dominantLanguage(pieces);
  const segments = pieces.flatMap((piece) => piece.segments);
  if (segments.length === 0 && speechSeconds === 0) {
    return recognition({ text: "", segments: [], language: "und", seconds, speechSeconds: 0, model, warnings: [] });
  }
  if (!isSupportedLanguage(language)) {
    throw new WhisperError("unsupportedLanguage", `The endpoint heard the language ${language}.`, { language, model });
  }
  const keptSeconds = sumOf(pieces, (piece) => piece.keptSeconds);
  if (segments.length === 0 || keptSeconds < speechSeconds * LEAST_SHARE_KEPT) {
    throw new WhisperError("notRecognised", `${model} could not write down most of the speech (${language}).`, {
      language,
      model,
    });
  }
  const lost = speechSeconds - keptSeconds;
  const warnings = lost > 0 ? [`${lost.toFixed(1)} s of speech were left out: the text was not to be trusted.`] : [];
  const text = segments.map((segment) => segment.text).join(" ");
  return recognition({ text, segments, language, seconds, speechSeconds, model, warnings });
}

function recognition(known: Omit<Recognition, "languageProbability">): Recognition {
  return { ...known, languageProbability: null };
}

/** The one in which most seconds were spoken. */
function dominantLanguage(pieces: readonly HeardPiece[]): string {
  const seconds = new Map<string, number>();
  for (const { language, speechSeconds } of pieces) {
    seconds.set(language, (seconds.get(language) ?? 0) + speechSeconds);
  }
  const ranked = [...seconds].toSorted(([, one], [, other]) => other - one);
  return ranked[0]?.[0] ?? "und";
}

function hasSignal(samples: Float32Array): boolean {
  return samples.some((sample) => Math.abs(sample) >= LEAST_SIGNAL);
}

function sumOf(pieces: readonly HeardPiece[], figure: (piece: HeardPiece) => number): number {
  return pieces.reduce((sum, piece) => sum + figure(piece), 0);
}
