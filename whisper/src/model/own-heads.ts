import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type ReadingErrors, readingErrorsSchema } from "../model-quality.ts";
import { HeadFolder } from "../recognition/heads/head-folder.ts";

/** The directory of the operator's own head for a language. */
export const headDirectory = (dataDirectory: string, language: string): string =>
  path.join(path.resolve(dataDirectory), "heads", language);

export interface OwnHead {
  readonly directory: string;
  readonly name: string;
  /** Errors that its training measured with voices that it hadn't heard; `undefined` where they can't be read. */
  readonly errors: ReadingErrors | undefined;
}

/** A head's folder has it where `reelscript model train-head` made it. */
export const measuredFile = "measured.json";

/** The operator's own heads, by the language that each reads. Throws `WhisperError` "unavailable" when one can't be read. */
export async function listOwnHeads(dataDirectory: string): Promise<Readonly<Record<string, OwnHead>>> {
  const names = await readdir(path.join(path.resolve(dataDirectory), "heads")).catch(() => []);
  const heads: Record<string, OwnHead> = {};
  for (const language of names.filter((name) => /^[a-z]{2,3}$/u.test(name))) {
    const directory = headDirectory(dataDirectory, language);
    const { manifest } = await HeadFolder.open(directory);
    heads[language] = { directory, name: manifest.name, errors: await errorsIn(directory) };
  }
  return heads;
}

async function errorsIn(directory: string): Promise<ReadingErrors | undefined> {
  try {
    return readingErrorsSchema.parse(JSON.parse(await readFile(path.join(directory, measuredFile), "utf8")));
  } catch {
    // A head without figures works as well; people are told that nobody measured it.
    return undefined;
  }
}
