import type { Specification } from "../../src/recognition/decoder/specification.ts";

/** A model whose text tokens are bytes. */
export const specification: Specification = {
  endOfText: 300,
  startOfTranscript: 301,
  transcribe: 303,
  translate: 305,
  noSpeech: 304,
  noTimestamps: 305,
  firstTimestamp: 306,
  latestFirstTimestamp: 50,
  languages: new Map([["en", 302]]),
  suppressed: [],
  longestText: 220,
  longestInput: 448,
  alignmentHeads: [],
};

export const tokenizer = {
  decode: (tokens: readonly number[]) => Buffer.from(tokens.filter((token) => token < 256)).toString("utf8"),
  encode: (word: string) => [...Buffer.from(word)],
};

export const at = (seconds: number): number => specification.firstTimestamp + Math.round(seconds * 50);
export const letters = (text: string): number[] => [...Buffer.from(text)];
