import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import { installedYtDlp } from "./install-ytdlp.ts";

/**
 * The yt-dlp program: the one named by `configured`, else the one installed in the data directory, else the first on
 * `searchPath` (as in `PATH`), else `undefined`. Throws when `configured` names no program.
 */
export async function findYtDlp(places: {
  readonly configured?: string | undefined;
  readonly dataDirectory?: string | undefined;
  readonly searchPath: string;
}): Promise<string | undefined> {
  const { configured, dataDirectory, searchPath } = places;
  if (configured !== undefined) {
    if (await isProgram(configured)) return configured;
    throw new Error(`no program is at ${configured}`);
  }
  const installed = dataDirectory === undefined ? undefined : installedYtDlp(dataDirectory);
  return installed !== undefined && (await isProgram(installed)) ? installed : findProgram("yt-dlp", searchPath);
}

/** The first program of this name on `searchPath`, else `undefined`. */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    const candidate = path.join(folder, name);
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
