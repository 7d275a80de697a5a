import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { embeddedModelName } from "../embedded-model.ts";
import { unavailable, WhisperError } from "../whisper-error.ts";
import { checkModel, isDirectory } from "./check-model.ts";
import {
  withLock,
  checkFreeSpace,
  notWritten,
  manifestName,
  readManifest,
  besideModel,
  installedDirectory,
  localModelName,
  readModelName,
} from "./model-folder.ts";
import { isWeightsOf, largestTextBytes, textFiles } from "./hub-files.ts";
import { isComplete, isPath, locateModel, type LocateModelOptions } from "./locate-model.ts";

export interface AddedModel {
  /** The name to use from now on. */
  readonly name: string;
  readonly directory: string;
  /** Commit of the hub's repository; `null` for a model from a folder. */
  readonly revision: string | null;
}

/**
 * Puts a model into the data directory: one of the hub, or a copy of a folder's. It appears whole or not at all. Throws
 * `WhisperError`, also when it is there already.
 */
export async function addModel(nameOrPath: string, options: LocateModelOptions): Promise<AddedModel> {
  const isFolder = isPath(nameOrPath) || (await isDirectory(path.resolve(nameOrPath)));
  const name = isFolder ? localModelName(nameOrPath) : readAddableName(nameOrPath);
  const directory = installedDirectory(options.dataDirectory, name);
  if (await isComplete(directory)) throw unavailable(`${name} is already installed.`);
  if (isFolder) await copyModel(path.resolve(nameOrPath), name, directory, options.signal);
  else await locateModel(nameOrPath, options);
  return { name, directory, revision: (await readManifest(directory))?.revision ?? null };
}

function readAddableName(text: string): string {
  if (text === embeddedModelName) throw unavailable(`${text} is already here: it is the embedded model.`);
  return readModelName(text).name;
}

async function copyModel(
  source: string,
  name: string,
  directory: string,
  signal = new AbortController().signal,
): Promise<void> {
  const { encoder, decoder } = await checkModel(source);
  const onnx = [encoder, decoder.path, ...(decoder.crossPath === null ? [] : [decoder.crossPath])];
  const files = await filesOf(source, onnx);
  try {
    await mkdir(path.dirname(directory), { recursive: true, mode: 0o700 });
    await withLock(besideModel(directory, "lock"), signal, async () => {
      if (await isDirectory(directory)) throw unavailable(`${name} is already installed.`);
      const staging = besideModel(directory, "download");
      try {
        await copyInto(staging, source, name, files);
        await rename(staging, directory);
      } finally {
        await rm(staging, { recursive: true, force: true });
      }
    });
  } catch (error) {
    throw error instanceof WhisperError ? error : notWritten(directory, error);
  }
}

interface File {
  /** Below the model's folder. */
  readonly path: string;
  readonly size: number;
}

async function copyInto(staging: string, source: string, name: string, files: readonly File[]): Promise<void> {
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  await checkFreeSpace(
    staging,
    files.reduce((sum, { size }) => sum + size, 0),
  );
  const copied = [];
  for (const { path: filePath, size } of files) {
    const target = path.join(staging, filePath);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(path.join(source, filePath), target, constants.COPYFILE_FICLONE);
    copied.push({ path: filePath, size, checksum: { kind: "sha256", hex: await sha256Of(target) } });
  }
  await checkModel(staging, name);
  const manifest = { model: name, revision: null, source, files: copied };
  await writeFile(path.join(staging, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The files that a recognizer loads, and none of what else is in the folder. Links are followed: caches of models have them. */
async function filesOf(source: string, graphs: readonly string[]): Promise<readonly File[]> {
  const weights = [];
  for (const graph of graphs) {
    const folder = path.dirname(graph);
    const names = (await readdir(folder)).filter((one) => isWeightsOf(one, path.basename(graph)));
    weights.push(...names.map((one) => path.join(folder, one)));
  }
  const files = [];
  for (const filePath of [...textFiles, ...[...graphs, ...weights].map((file) => path.relative(source, file))]) {
    const stats = await stat(path.join(source, filePath)).catch(() => undefined);
    // Required files were checked before.
    if (stats === undefined) continue;
    if (!stats.isFile()) throw unavailable(`${path.join(source, filePath)} is not a file.`);
    if (textFiles.includes(filePath) && stats.size > largestTextBytes)
      throw unavailable(`${path.join(source, filePath)} is too large: no Whisper has such a file.`);
    files.push({ path: filePath, size: stats.size });
  }
  return files;
}

async function sha256Of(filePath: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(filePath), hash);
  return hash.digest("hex");
}
