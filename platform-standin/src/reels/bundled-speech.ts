import { readStoredReels, storedFile } from "./stored-reels.ts";

/** A reel whose spoken text is known. */
export interface SpeechClip {
  readonly file: string;
  /** Primary subtag. */
  readonly language: string;
  readonly text: string;
  readonly seconds: number;
  /** Read by a synthetic voice. */
  readonly synthesized: boolean;
}

const kinds: readonly string[] = ["speech", "synthesizedSpeech"];

/** The stored reels that contain only speech, for measuring recognizers. */
export const bundledSpeech = (): readonly SpeechClip[] =>
  readStoredReels()
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ name, language, text, seconds, kind }) => ({
      file: storedFile(name, "mp4"),
      language,
      text,
      seconds,
      synthesized: kind === "synthesizedSpeech",
    }));
