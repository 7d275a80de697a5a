import type { DecodedMedia } from "./decoded-media.ts";

export interface Segment {
  /** Seconds from the beginning of the file. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Set in translations that the model was unsure of. */
  readonly isUnsure?: true;
}

/** One word with the space before it, if there is one: all words in order, concatenated, are the text. */
export interface Word {
  /** Seconds from the beginning of the file. Words follow each other without overlap, inside detected speech. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** How sure the model was of it, 0 to 1; absent when the engine doesn't tell. */
  readonly probability?: number;
}

/**
 * Why detected speech is missing from the text: the model repeated itself, wrote letters that the language isn't written
 * in, was too unsure, wrote nothing, or jumped over it.
 */
export type GapReason = "repetition" | "wrongScript" | "lowConfidence" | "noText" | "skipped";

/** A stretch with detected speech that isn't in the text. */
export interface Gap {
  /** Seconds from the beginning of the file. */
  readonly start: number;
  readonly end: number;
  readonly reason: GapReason;
}

/** A stretch that sounded like speech at first and was judged silent. */
export interface Silence {
  /** Seconds from the beginning of the file. */
  readonly start: number;
  readonly end: number;
  /** The model heard no speech, or wrote nothing for a sound of less than two seconds. */
  readonly reason: "noSpeech" | "tooShort";
}

/** Text heard in one stretch of a recording that passed all checks: it is in the final text, unless there is none. */
export interface HeardPassage {
  /** Primary BCP-47 subtag. */
  readonly language: string;
  /** Follows the segments of all earlier passages; never empty. */
  readonly segments: readonly Segment[];
}

/** The model's text so far for the stretch after all passages; checks are still to come, and it may vanish. */
export interface HeardDraft {
  /** Primary BCP-47 subtag. */
  readonly language: string;
  readonly text: string;
}

/** One stretch as the model heard it, for those who mend the recognizer. */
export interface HeardWindowReport {
  /** Seconds from the beginning of the file. */
  readonly start: number;
  readonly end: number;
  /** "heardAgain": in vain, so that a shorter one from the same second follows. */
  readonly verdict: "kept" | "heardAgain" | GapReason | Silence["reason"];
  /** 0 to 1: how likely nobody speaks; `null` where a head found words and nobody asked the decoder. */
  readonly noSpeech: number | null;
  /** Mean natural logarithm of the tokens' probabilities, or of a head's words against its letters; `null` when nothing was read. */
  readonly confidence: number | null;
}

/**
 * The finished part of a recording, as plain data. Another process that gets the same samples and this continues from there
 * and ends with the same result.
 */
export interface FinishedWindows {
  /** Second of the recording up to which nothing is heard again. */
  readonly until: number;
  /** Start and end of the windows that were judged silent while the language was looked for. */
  readonly silentWindows: readonly (readonly [start: number, end: number])[];
  /** The likeliest language so far: a primary subtag, or "und". */
  readonly likeliest: string;
  /** `null` while the language isn't decided. */
  readonly language: FinishedLanguage | null;
  readonly segments: readonly Segment[];
  readonly gaps: readonly Gap[];
  readonly silences: readonly Silence[];
  /** The words of each window that was kept; `null` when the model gives no times of words. */
  readonly words: readonly (readonly Word[])[] | null;
  /** How many more windows may be heard again. */
  readonly rescues: number;
}

export interface FinishedLanguage {
  /** Primary BCP-47 subtag. */
  readonly language: string;
  /** 0 to 1. */
  readonly probability: number;
  readonly hintDecided: boolean;
}

export interface RecognizeOptions {
  /**
   * "translate" writes what is said in English, by the embedded model. `language` is then what is spoken, and nothing else is
   * looked for; there are no times of words. By default the words are written down.
   */
  readonly task?: "transcribe" | "translate" | undefined;
  /** Primary subtag the caller says is spoken; heard against, never trusted blindly. */
  readonly language?: string | undefined;
  /**
   * Words that may be said and whose spelling is known, the most important first: of two readings that are about as likely, the one
   * that writes them is taken. Engines without a search of their own pass them over.
   */
  readonly spellings?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Called with the share of the audio that is done, 0 to 1, never falling. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Called about once a second while something is computed for this recording, however long a part of it takes. */
  readonly onWork?: (() => void) | undefined;
  /** Called while recognition continues, which may still be refused as a whole. */
  readonly onPassage?: ((passage: HeardPassage) => void) | undefined;
  /** Called with each draft in place of the one before; `undefined` when it came to nothing. A passage ends it, too. */
  readonly onDraft?: ((draft: HeardDraft | undefined) => void) | undefined;
  /** Called with what became of each window, by engines that have windows. */
  readonly onWindow?: ((window: HeardWindowReport) => void) | undefined;
  /** Called after each window with all that is done, by engines that can continue from there. */
  readonly onFinished?: ((finished: FinishedWindows) => void) | undefined;
  /** Part of the same recording that an earlier call finished; its passages aren't reported again. Other engines start over. */
  readonly resume?: FinishedWindows | undefined;
}

export interface Recognition {
  /** Empty when nothing was said. */
  readonly text: string;
  readonly segments: readonly Segment[];
  /** `null` when the model gives no times of words. */
  readonly words: readonly Word[] | null;
  /** Every second of detected speech is inside a segment, a gap or a silence. */
  readonly gaps: readonly Gap[];
  readonly silences: readonly Silence[];
  /** Primary BCP-47 subtag; "und" when nothing was said. */
  readonly language: string;
  /** 0 to 1; `null` when the engine does not tell. */
  readonly languageProbability: number | null;
  /** Seconds of audio that were listened to. */
  readonly seconds: number;
  readonly speechSeconds: number;
  readonly model: string;
  /** `recognizerRevision` of the code that made this. */
  readonly revision: number;
  /** Without the hint there might be another text, or none. */
  readonly hintDecided: boolean;
}

/** An engine: samples in, text out. Implementations: the embedded Whisper, an OpenAI-compatible endpoint. */
export interface Recognizer {
  readonly model: string;
  /** For the banner, where there is more to say than the model's name: slots, threads. */
  readonly description?: string | undefined;
  /** Resolves when the model is loaded (or the endpoint configured); rejects with `WhisperError`. */
  ready(): Promise<void>;
  /** Starts while samples still come. Throws `WhisperError`, or `HandOver` where it was told to. */
  recognize(media: DecodedMedia, options: RecognizeOptions): Promise<Recognition>;
  close(): Promise<void>;
}

export interface Transcription extends Recognition {
  /** True if audio was left over after the longest length that is transcribed. */
  readonly truncated: boolean;
}

export interface TranscribeOptions extends RecognizeOptions {
  /** Audio after this many seconds is left out; overrides the transcriber's own limit. */
  readonly maxSeconds?: number | undefined;
}

/** The length of a file's audio. */
interface MeasuredSound {
  readonly seconds: number;
  /** True if the audio is longer than was measured. */
  readonly isLonger: boolean;
}

/** Media in, text out. */
export interface Transcriber {
  readonly model: string;
  /** For the banner: which decoder and how many threads are in use. */
  readonly description: string;
  ready(): Promise<void>;
  /** `path` is a local file of any of the known containers. Throws `WhisperError`. */
  transcribe(path: string, options: TranscribeOptions): Promise<Transcription>;
  /** Decodes at most so many seconds of the audio, and keeps nothing. Throws `WhisperError`. */
  measure(path: string, options: { readonly maxSeconds: number; readonly signal: AbortSignal }): Promise<MeasuredSound>;
  close(): Promise<void>;
}

/** Thrown when another recognizer has to write down the spoken language. */
export class HandOver extends Error {
  override readonly name = "HandOver";
  readonly detection: Pick<Recognition, "language" | "languageProbability" | "hintDecided">;

  constructor(detection: HandOver["detection"]) {
    super(`${detection.language} is for another recognizer`);
    this.detection = detection;
  }
}
