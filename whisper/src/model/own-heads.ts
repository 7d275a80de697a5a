import { readdir } from "node:fs/promises";
import path from "node:path";
import { HeadFolder } from "../recognition/heads/head-folder.ts";

/** The directory of the operator's own head for a language. */
export const headDirectory = (dataDirectory: string, language: string): string =>
  path.join(path.resolve(dataDirectory), "heads", language);

export interface OwnHead {
  readonly directory: string;
  readonly name: string;
}

/** The operator's own heads, by the language that each reads. Throws `WhisperError` "unavailable" when one can't be read. */
export async function listOwnHeads(dataDirectory: string): Promise<Readonly<Record<string, OwnHead>>> {
  const names = await readdir(path.join(path.resolve(dataDirectory), "heads")).catch(() => []);
  const heads: Record<string, OwnHead> = {};
  for (const language of names.filter((name) => /^[a-z]{2,3}$/u.test(name))) {
    const directory = headDirectory(dataDirectory, language);
    const { manifest } = await HeadFolder.open(directory);
    heads[language] = { directory, name: manifest.name };
  }
  return heads;
}
