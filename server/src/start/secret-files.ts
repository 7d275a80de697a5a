import { readFileSync } from "node:fs";
import path from "node:path";
import { secretSettings } from "../settings/secret-settings.ts";

type Given = Readonly<Record<string, string | undefined>>;

/** A larger file doesn't contain a single setting. */
const largestBytes = 64 * 1024;

/**
 * Reads secrets from the files that `NAME_FILE` names, as container platforms provide them; a line break at the end is removed.
 * Throws an error that names the unreadable file, without any of its content.
 */
export function withSecretFiles(given: Given, directory: string): Given {
  const read: Record<string, string | undefined> = { ...given };
  const wrong: string[] = [];
  for (const name of secretSettings) {
    const file = given[`${name}_FILE`];
    if (!file) continue;
    if (given[name]) wrong.push(`${name}_FILE: ${name} is set, too; unset one of them`);
    else
      try {
        const text = readFileSync(path.resolve(directory, file), "utf8").replace(/\r?\n$/, "");
        if (text === "" || text.length > largestBytes)
          wrong.push(`${name}_FILE: ${file} holds no setting; write the value into it`);
        else read[name] = text;
      } catch (error) {
        wrong.push(`${name}_FILE: ${file} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`);
      }
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return read;
}
