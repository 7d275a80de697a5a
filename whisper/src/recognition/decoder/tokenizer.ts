import path from "node:path";
import { fileURLToPath } from "node:url";
import { unavailable } from "../../whisper-error.ts";
import { isJsonObject, readJsonObject, tokenMap } from "./json-fields.ts";

const embeddedTokenizer = fileURLToPath(new URL("../../../models/whisper-base/tokenizer.json", import.meta.url));

/** Turns tokens into text. */
export interface Tokenizer {
  /** Tokens from `endOfText` on have no text. Bytes that aren't UTF-8 become U+FFFD. */
  decode(tokens: readonly number[]): string;
}

/** A vocabulary of byte strings writes each byte as one printable character; this finds the byte again. */
function createByteOfCharacter(): ReadonlyMap<string, number> {
  const byteOfCharacter = new Map<string, number>();
  let moved = 0;
  for (let byte = 0; byte < 256; byte += 1) {
    const isPrintable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    byteOfCharacter.set(String.fromCodePoint(isPrintable ? byte : 256 + moved), byte);
    if (!isPrintable) moved += 1;
  }
  return byteOfCharacter;
}

async function readVocabulary(directory: string): Promise<ReadonlyMap<string, number>> {
  // All multilingual Whisper models share the vocabulary below `endOfText`, so that the embedded one serves a
  // directory that brings none.
  const candidates = [path.join(directory, "tokenizer.json"), path.join(directory, "vocab.json"), embeddedTokenizer];
  for (const filePath of candidates) {
    const file = await readJsonObject(filePath);
    if (!file) continue;
    const model = file["model"];
    const vocabulary = tokenMap(isJsonObject(model) ? model["vocab"] : file);
    if (vocabulary.size > 0) return vocabulary;
  }
  throw unavailable(`There is no vocabulary in ${directory}.`);
}

/** Reads the byte-level vocabulary of a model directory. Throws `WhisperError`. */
export async function readTokenizer(directory: string, endOfText: number): Promise<Tokenizer> {
  const byteOfCharacter = createByteOfCharacter();
  const bytesOfToken: Buffer[] = [];
  for (const [characters, token] of await readVocabulary(directory)) {
    if (token >= endOfText) continue;
    bytesOfToken[token] = Buffer.from(Array.from(characters, (character) => byteOfCharacter.get(character) ?? 63));
  }
  return {
    decode(tokens) {
      const bytes = tokens.filter((token) => token < endOfText).map((token) => bytesOfToken[token] ?? Buffer.alloc(0));
      return Buffer.concat(bytes).toString("utf8");
    },
  };
}
