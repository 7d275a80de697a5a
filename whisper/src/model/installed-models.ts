import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { embeddedModelDirectory, embeddedModelName } from "../embedded-model.ts";
import { unavailable } from "../whisper-error.ts";
import { isComplete } from "./locate-model.ts";
import { readManifest, installedDirectory, isModelName, modelsFolder } from "./model-folder.ts";

export interface InstalledModel {
  readonly name: string;
  readonly directory: string;
  readonly bytes: number;
  /** Commit of the hub's repository, if it came from there. */
  readonly revision: string | null;
}

/** The embedded model, and those in the data directory by name. */
export async function listModels(dataDirectory: string): Promise<readonly InstalledModel[]> {
  const folder = modelsFolder(dataDirectory);
  const models = [await describe(embeddedModelName, embeddedModelDirectory)];
  for (const owner of await namesIn(folder))
    for (const model of await namesIn(path.join(folder, owner))) {
      const name = `${owner}/${model}`;
      const directory = installedDirectory(dataDirectory, name);
      if (isModelName(name) && (await isComplete(directory))) models.push(await describe(name, directory));
    }

  return models;
}

/** Throws `WhisperError` when there is no such model. */
export async function findModel(name: string, dataDirectory: string): Promise<InstalledModel> {
  if (name === embeddedModelName) return describe(name, embeddedModelDirectory);
  const directory = isModelName(name) ? installedDirectory(dataDirectory, name) : undefined;
  if (directory !== undefined && (await isComplete(directory))) return describe(name, directory);
  throw unavailable(`There is no model ${name} on this machine.`);
}

async function describe(name: string, directory: string): Promise<InstalledModel> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return {
    name,
    directory,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    revision: (await readManifest(directory))?.revision ?? null,
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? [entry.name] : []))
    .toSorted();
}
