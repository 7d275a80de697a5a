import { readFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject } from "../recognition/decoder/json-fields.ts";

/** Beside the files of a model that was added: what it is, and the checksum of each file. */
export const manifestName = "download.json";

/** Commit of the hub's repository; `null` for a model from a folder. */
export interface Manifest {
  readonly revision: string | null;
}

/** `undefined` when the directory has none, because somebody put the files there. */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const text = await readFile(path.join(directory, manifestName), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    const revision = isJsonObject(read) ? read["revision"] : undefined;
    return { revision: typeof revision === "string" ? revision : null };
  } catch {
    return { revision: null };
  }
}
