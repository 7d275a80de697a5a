import { deflateSync } from "node:zlib";

const longestPhrase = 24;

/**
 * True if the tokens end in a repeated phrase of at most 24 tokens: five times over at least 20 tokens, or three times over
 * at least 60.
 */
export function endsInLoop(tokens: readonly number[]): boolean {
  for (let phrase = 1; phrase <= longestPhrase; phrase += 1) {
    let length = phrase;
    while (length < tokens.length && tokens.at(-1 - length) === tokens.at(-1 - length + phrase)) length += 1;
    if ((length >= 5 * phrase && length >= 20) || (length >= 3 * phrase && length >= 60)) return true;
  }
  return false;
}

/**
 * How many times smaller a text becomes by compression. Each character counts as one byte: scripts of three bytes
 * a letter would pass for repetitive otherwise.
 */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(
    Array.from(text.trim(), (character) => {
      const codePoint = character.codePointAt(0) ?? 0;
      return codePoint < 128 ? codePoint : 128 | (codePoint & 127);
    }),
  );
  return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length;
}
