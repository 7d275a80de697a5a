import { readStoredReels, storedFile } from "./stored-reels.ts";

/** A reel whose words are known. */
export interface SpeechClip {
  readonly file: string;
  /** Primary subtag. */
  readonly language: string;
  readonly text: string;
  readonly seconds: number;
  /** Read by a machine, not by a person. */
  readonly synthesized: boolean;
}

const kinds: readonly string[] = ["speech", "synthesizedSpeech"];

/** The stored reels in which somebody speaks and nothing else is heard, to measure recognizers with. */
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
