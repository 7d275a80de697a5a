import { readFile } from "node:fs/promises";
import { unavailable } from "../../whisper-error.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object in a file of a model; `undefined` when there is no such file. Throws `WhisperError`. */
export async function readJsonObject(path: string): Promise<JsonObject | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unavailable(`The model file ${path} cannot be read.`, error);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw unavailable(`The model file ${path} is not JSON.`, error);
  }
  throw unavailable(`The model file ${path} holds no JSON object.`);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTokenId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function tokenIds(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) && value.every(isTokenId) ? value : undefined;
}

/** The entries of an object whose values are token ids. */
export function tokenMap(value: unknown): ReadonlyMap<string, number> {
  if (!isJsonObject(value)) return new Map();
  return new Map(Object.entries(value).filter((entry): entry is [string, number] => isTokenId(entry[1])));
}
