import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";

/**
 * The yt-dlp program: the one named by `configured`, else the first on `searchPath` (as in `PATH`), else `undefined`.
 * Throws when `configured` names no program.
 */
export async function findYtDlp(places: {
  readonly configured?: string | undefined;
  readonly searchPath: string;
}): Promise<string | undefined> {
  const { configured, searchPath } = places;
  if (configured !== undefined) {
    if (await isProgram(configured)) return configured;
    throw new Error(`no program is at ${configured}`);
  }
  for (const folder of searchPath.split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    const candidate = path.join(folder, "yt-dlp");
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
