import type { Language } from "@reelscript/contract";
import type { ReelDetails } from "./reels.ts";

export interface Segment {
  /** Seconds from the beginning. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A word with the space before it, if there is one: all words in order, concatenated, are the text. */
export interface Word {
  /** Seconds from the beginning. Words follow each other without overlap. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The recognizer's confidence in the word, 0 to 1, if it gave one. */
  readonly probability?: number;
}

/** A stretch in which somebody speaks, but whose words are missing in the text. */
export interface Gap {
  /** Seconds from the beginning. */
  readonly start: number;
  readonly end: number;
  readonly reason: "repetition" | "wrongScript" | "lowConfidence" | "noText" | "skipped";
}

/** The part of a transcript that the response to a transcription has. */
interface SpokenText {
  readonly text: string;
  /** Primary subtag; `und` if there is no speech. */
  readonly language: string;
  /** True if the audio was longer than the limit, so that the rest wasn't transcribed. */
  readonly truncated: boolean;
  readonly model: string;
}

/** The fields that a transcript and the transcriber's result have in common. */
interface HeardSpeech extends SpokenText {
  readonly segments: readonly Segment[];
  readonly gaps: readonly Gap[];
  readonly languageProbability: number | null;
  readonly seconds: number;
  readonly speechSeconds: number;
  /** The version of the recognizer's code; grows when the same model recognizes more. */
  readonly revision: number;
}

/** The transcriber's result for a reel's audio. */
export interface Speech extends HeardSpeech {
  /** `null` if the recognizer gives no word times. */
  readonly words: readonly Word[] | null;
  /** True if the text might differ, or be missing, without the caller's hint. */
  readonly hintDecided: boolean;
}

/** A row of the shared cache, without word times, which are read only on request. */
export interface Transcript extends HeardSpeech {
  readonly reel: ReelDetails;
  readonly createdAt: Date;
}

/** An account's text of a reel. */
export interface OwnText extends SpokenText {
  /** Its script; `null` when the account removed it. */
  readonly scriptId: string | null;
}

/** With the units that the caller's allowance has charged so far. */
export interface CachedTranscript extends OwnText {
  readonly used: number;
}

/** A transcript to be stored. Words that don't join to the text are left out. */
export interface NewTranscript extends Transcript {
  readonly words?: readonly Word[] | null;
  /** `recognizerKey` of the recognizers that heard it; by default that of its model and revision. */
  readonly heardBy?: string;
  /** The transcript belongs only to the account that gave the hint. */
  readonly hintDecided?: boolean;
}

/**
 * Media file in, text out. Throws `SpeechNotRecognized`, `RecognizerSilent`, or `ServiceError`: `invalidRequest` 422 (this
 * media can never be transcribed here), `internalError` (a crash or overrun of ours; may be tried again), `unavailable`.
 */
export interface Transcriber {
  readonly model: string;
  readonly revision: number;
  /** Absent where nothing translates. */
  readonly translator?: Translator | undefined;
  /** Called as soon as there is a reel to transcribe, so that the model loads while the reel is fetched. */
  prepare?(): void;
  transcribe(
    file: string,
    options: {
      readonly language: string | null;
      /** Words that the reel's caption and account spell, the most important first. */
      readonly spellings?: readonly string[];
      readonly signal: AbortSignal;
      readonly onProgress: (done: number) => void;
      /** Called with each recognized stretch, before the whole is accepted. */
      readonly onPassage?: (passage: Passage) => void;
      /** Called with the unchecked text after all passages; `undefined` if it came to nothing. */
      readonly onDraft?: (draft: Passage | undefined) => void;
      /** Called about once a second during recognition, however long a part of it takes. */
      readonly onWork?: (() => void) | undefined;
      /** Audio after this many seconds isn't transcribed; overrides the usual limit. */
      readonly maxSeconds?: number | undefined;
    },
  ): Promise<Speech>;
  /** Decodes at most so many seconds of the audio, and returns its length. Throws like `transcribe`. */
  measure(
    file: string,
    options: { readonly maxSeconds: number; readonly signal: AbortSignal },
  ): Promise<{ readonly seconds: number; /** The audio is longer. */ readonly isLonger: boolean }>;
}

/** The English text of a transcript, as a model wrote it. */
export interface Translation {
  /** Empty if most of the speech couldn't be translated. */
  readonly text: string;
  readonly segments: readonly TranslatedSegment[];
  readonly gaps: readonly Gap[];
  readonly model: string;
  readonly revision: number;
}

interface TranslatedSegment extends Segment {
  /** The model was unsure of it. */
  readonly isUnsure?: true;
}

/** Media file in, English out. */
export interface Translator {
  /** Those that it translates well enough to be of use. */
  readonly languages: readonly Language[];
  /** Writes in English what is said in `language`. Throws like `Transcriber.transcribe`. */
  translate(
    file: string,
    options: {
      readonly language: string;
      readonly signal: AbortSignal;
      readonly onProgress: (done: number) => void;
      readonly onWork?: (() => void) | undefined;
      readonly maxSeconds?: number | undefined;
    },
  ): Promise<Translation>;
}

/** The speech of one stretch of a reel. */
export interface Passage {
  /** Primary subtag. */
  readonly language: string;
  readonly text: string;
}
