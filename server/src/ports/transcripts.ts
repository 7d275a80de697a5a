import type { ReelDetails } from "./reels.ts";

export interface Segment {
  /** Seconds from the beginning. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What the transcriber made of a reel's sound. */
interface Speech {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Primary subtag; `und` when nothing is said. */
  readonly language: string;
  readonly languageProbability: number | null;
  readonly seconds: number;
  readonly speechSeconds: number;
  /** Whether audio was left over after the longest length that is transcribed. */
  readonly truncated: boolean;
  readonly model: string;
}

/** A row of the shared cache. */
export interface Transcript extends Speech {
  readonly reel: ReelDetails;
  readonly createdAt: Date;
}

/**
 * Media file in, text out. Throws `SpeechNotRecognised`, or `ServiceError`: `invalidRequest` 422 (this media can never be
 * transcribed here), `internalError` (a crash or overrun of ours; may be tried again), `unavailable`.
 */
export interface Transcriber {
  readonly model: string;
  transcribe(
    file: string,
    options: {
      readonly language: string | null;
      readonly signal: AbortSignal;
      readonly onProgress: (done: number) => void;
    },
  ): Promise<Speech>;
}
