import path from "node:path";
import { fileURLToPath } from "node:url";
import { unavailable } from "../../whisper-error.ts";
import { isJsonObject, readJsonObject, tokenMap } from "./json-fields.ts";

const embeddedTokenizer = fileURLToPath(new URL("../../../models/whisper-base/tokenizer.json", import.meta.url));

/** Turns tokens into text. */
export interface Tokenizer {
  /** Tokens from `endOfText` on have no text. Bytes that aren't UTF-8 become U+FFFD. */
  decode(tokens: readonly number[]): string;
  /** Tokens of one word of letters, with the space before it. */
  encode(word: string): readonly number[];
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
  const tokenOfBytes = new Map<string, number>();
  for (const [characters, token] of await readVocabulary(directory)) {
    if (token >= endOfText) continue;
    const bytes = Buffer.from(Array.from(characters, (character) => byteOfCharacter.get(character) ?? 63));
    bytesOfToken[token] = bytes;
    tokenOfBytes.set(bytes.toString("latin1"), token);
  }
  return {
    decode(tokens) {
      const bytes = tokens.filter((token) => token < endOfText).map((token) => bytesOfToken[token] ?? Buffer.alloc(0));
      return Buffer.concat(bytes).toString("utf8");
    },
    encode: (word) => encodeWord(Buffer.from(word).toString("latin1"), tokenOfBytes),
  };
}

/** Joins the pair of neighbors whose token is the oldest until no pair has one, as the vocabulary was made. A character is a byte. */
function encodeWord(bytes: string, tokenOfBytes: ReadonlyMap<string, number>): readonly number[] {
  let pieces = Array.from(bytes);
  for (;;) {
    let oldest = Infinity;
    let at = -1;
    for (let index = 0; index + 1 < pieces.length; index += 1) {
      const token = tokenOfBytes.get(`${pieces[index]}${pieces[index + 1]}`) ?? Infinity;
      if (token >= oldest) continue;
      oldest = token;
      at = index;
    }
    if (at === -1) return pieces.flatMap((piece) => tokenOfBytes.get(piece) ?? []);
    pieces = [...pieces.slice(0, at), `${pieces[at]}${pieces[at + 1]}`, ...pieces.slice(at + 2)];
  }
}
