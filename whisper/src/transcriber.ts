import type { DecodedMedia, MediaInfo } from "./decoded-media.ts";

export interface Segment {
  /** Seconds from the beginning of the file. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface RecogniseOptions {
  /** Primary subtag the caller says is spoken; heard against, never trusted blindly. */
  readonly language?: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the share of the audio that is done, 0 to 1, never falling. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

export interface Recognition {
  /** Empty when nothing was said. */
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Primary BCP-47 subtag; "und" when nothing was said. */
  readonly language: string;
  /** 0 to 1; `null` when the engine does not tell. */
  readonly languageProbability: number | null;
  /** Seconds of audio that were listened to. */
  readonly seconds: number;
  readonly speechSeconds: number;
  readonly model: string;
  /** What could not be honoured or was left out, for people. */
  readonly warnings: readonly string[];
}

/** An engine: samples in, text out. Implementations: the embedded Whisper, an OpenAI-compatible endpoint. */
export interface Recogniser {
  readonly model: string;
  /** For the banner, where there is more to say than the model's name: slots, threads. */
  readonly description?: string | undefined;
  /** Resolves when the model is loaded (or the endpoint configured); rejects with `WhisperError`. */
  ready(): Promise<void>;
  /** Starts while samples still come. Throws `WhisperError`. */
  recognise(media: DecodedMedia, options: RecogniseOptions): Promise<Recognition>;
  close(): Promise<void>;
}

export interface Transcription extends Recognition {
  /** Whether audio was left over after the longest length that is transcribed. */
  readonly truncated: boolean;
  readonly media: MediaInfo;
}

/** Media in, text out. */
export interface Transcriber {
  readonly model: string;
  /** For the banner: which decoder and how many threads are in use. */
  readonly description: string;
  ready(): Promise<void>;
  /** `path` is a local file of any of the known containers. Throws `WhisperError`. */
  transcribe(path: string, options: RecogniseOptions): Promise<Transcription>;
  close(): Promise<void>;
}
