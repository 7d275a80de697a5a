import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** First executable of that name in a list of folders as in PATH, or `null`. */
export async function findExecutable(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, name);
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return null;
}
