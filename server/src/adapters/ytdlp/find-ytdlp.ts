import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

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
    throw new Error(`there is no program at ${configured}`);
  }
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const candidate = join(folder, "yt-dlp");
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
