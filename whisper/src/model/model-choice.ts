import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { embeddedModelName } from "../embedded-model.ts";
import { isJsonObject } from "../recognition/decoder/json-fields.ts";
import { isSupportedLanguage } from "../recognition/languages.ts";
import { unavailable, WhisperError } from "../whisper-error.ts";
import { withLock, notWritten, isModelName, modelsFolder } from "./model-folder.ts";

/** Which models the operator chose. */
export interface ModelChoice {
  /** For every language without a model of its own; `undefined` is the embedded one. */
  readonly all: string | undefined;
  /** By primary language subtag. */
  readonly languages: Readonly<Record<string, string>>;
}

const nothing: ModelChoice = { all: undefined, languages: {} };

export const choiceFile = (dataDirectory: string): string => path.join(modelsFolder(dataDirectory), "in-use.json");

/** Throws `WhisperError` when the file is there and is not a choice: another model than the chosen one must not run unnoticed. */
export async function readModelChoice(dataDirectory: string): Promise<ModelChoice> {
  const file = choiceFile(dataDirectory);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return nothing;
    throw unavailable(`${file} cannot be read (${code}).`, error);
  }
  const choice = parse(text);
  if (choice !== undefined) return choice;
  throw unavailable(
    `${file} is damaged. Remove it to go back to the embedded model, then choose again with "reelscript model use".`,
  );
}

/** Uses `name` for every language without a model of its own, or for one language. Returns what is chosen now. Throws `WhisperError`. */
export async function chooseModel(
  dataDirectory: string,
  name: string,
  language: string | undefined,
): Promise<ModelChoice> {
  const file = choiceFile(dataDirectory);
  try {
    await mkdir(modelsFolder(dataDirectory), { recursive: true, mode: 0o700 });
    return await withLock(`${file}.lock`, new AbortController().signal, async () => {
      const changed = change(await readModelChoice(dataDirectory), name, language);
      await replaceFile(file, `${JSON.stringify(changed, undefined, 2)}\n`);
      return changed;
    });
  } catch (error) {
    throw error instanceof WhisperError ? error : notWritten(file, error);
  }
}

function change(choice: ModelChoice, name: string, language: string | undefined): ModelChoice {
  const all = language === undefined ? name : (choice.all ?? embeddedModelName);
  const languages = { ...choice.languages, ...(language !== undefined && { [language]: name }) };
  return {
    all: all === embeddedModelName ? undefined : all,
    // A language with the model of all is none with a model of its own.
    languages: Object.fromEntries(Object.entries(languages).filter(([, model]) => model !== all)),
  };
}

async function replaceFile(file: string, text: string): Promise<void> {
  const written = `${file}.new`;
  await rm(written, { force: true });
  const handle = await open(written, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(written, file);
}

function parse(text: string): ModelChoice | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(read)) return undefined;
  const { all, languages = {} } = read;
  const isName = (value: unknown): value is string =>
    typeof value === "string" && (value === embeddedModelName || isModelName(value));
  if ((all !== undefined && !isName(all)) || !isJsonObject(languages)) return undefined;
  const entries = Object.entries(languages);
  if (!entries.every(([language, model]) => isSupportedLanguage(language) && isName(model))) return undefined;
  return { all, languages: languages as Readonly<Record<string, string>> };
}
