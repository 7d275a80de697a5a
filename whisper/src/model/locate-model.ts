import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject } from "../recognition/decoder/json-fields.ts";
import { unavailable, WhisperError } from "../whisper-error.ts";
import { checkModel, checkSpecification, isDirectory } from "./check-model.ts";
import {
  withLock,
  checkFreeSpace,
  notWritten,
  manifestName,
  readManifest,
  besideModel,
  installedDirectory,
  isLocalModel,
  type ModelName,
  readModelName,
} from "./model-folder.ts";
import { downloadFile, sizeOf } from "./download-file.ts";
import { hubJson, type HubOptions, TransferError } from "./hub-client.ts";
import { chooseHubFiles, type HubFile, textFiles } from "./hub-files.ts";

export interface DownloadProgress {
  /** Path within the model. */
  readonly file: string;
  readonly bytes: number;
  readonly total: number;
}

export interface LocateModelOptions {
  /** Models are kept below it, in `models/owner/name`. */
  readonly dataDirectory: string;
  /** Default: the public model hub. */
  readonly hubUrl?: string | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Seconds without a byte after which a transfer counts as broken. Default 60. */
  readonly idleSeconds?: number | undefined;
}

const publicHub = "https://huggingface.co";

/**
 * The directory of a model: an existing directory as it is, or a model of the data directory, or `owner/name` (also
 * `owner/name@revision`) of the model hub, downloaded once, each file checked against what the hub states for it. Throws
 * `WhisperError`: "unavailable" or "aborted".
 */
export async function locateModel(nameOrPath: string, options: LocateModelOptions): Promise<string> {
  const filePath = path.resolve(nameOrPath);
  if (isPath(nameOrPath) || (await isDirectory(filePath))) {
    await checkModel(filePath);
    return filePath;
  }
  const model = readModelName(nameOrPath);
  const directory = installedDirectory(options.dataDirectory, model.name);
  if (await isComplete(directory)) await checkRevision(model, directory);
  else await obtain(model, directory, options);
  await checkModel(directory);
  return directory;
}

/** True if a text can only mean a folder. */
export const isPath = (text: string): boolean => path.isAbsolute(text) || /^\.{0,2}[/\\]|^\.{1,2}$/.test(text);

async function checkRevision({ name, revision }: ModelName, directory: string): Promise<void> {
  const installed = (await readManifest(directory))?.revision ?? "unknown";
  if (revision === undefined || revision === installed) return;
  throw unavailable(`${name} is installed at the revision ${installed}. Remove ${directory} to get ${revision}.`);
}

async function obtain(model: ModelName, directory: string, options: LocateModelOptions): Promise<void> {
  if (isLocalModel(model.name)) throw unavailable(`${model.name} is not in ${directory}: add its folder again.`);

  const hub: HubOptions = {
    hubUrl: options.hubUrl ?? publicHub,
    fetch: options.fetch ?? globalThis.fetch,
    signal: options.signal ?? new AbortController().signal,
    idleSeconds: options.idleSeconds ?? 60,
  };
  try {
    await mkdir(path.dirname(directory), { recursive: true, mode: 0o700 });
    await withLock(besideModel(directory, "lock"), hub.signal, async () => {
      if (!(await isComplete(directory))) await download(model, directory, hub, options.onProgress);
    });
  } catch (error) {
    if (error instanceof WhisperError) throw error;
    if (error instanceof TransferError) throw offline(model.name, directory, hub.hubUrl, error);
    throw notWritten(directory, error);
  }
}

async function download(
  { name, revision: wantedRevision }: ModelName,
  directory: string,
  hub: HubOptions,
  onProgress: LocateModelOptions["onProgress"],
): Promise<void> {
  if (await isDirectory(directory))
    throw unavailable(`${directory} holds something else than a download of ${name}; move it away.`);

  const revision = wantedRevision ?? (await revisionOf(name, hub));
  const listing = await hubJson(`api/models/${name}/tree/${revision}?recursive=true`, hub);
  if (listing === null) throw unavailable(`The model hub has no revision ${revision} of ${name}.`);
  const files = chooseHubFiles(name, listing);
  const staging = besideModel(directory, "download");
  const manifest = `${JSON.stringify({ model: name, revision, files }, null, 2)}\n`;
  const staged = await readFile(path.join(staging, manifestName), "utf8").catch(() => null);
  if (staged !== manifest) await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  await writeFile(path.join(staging, manifestName), manifest);
  await checkFreeSpace(staging, await missingBytes(staging, files));
  const fetchFiles = async (some: readonly HubFile[]): Promise<void> => {
    for (const file of some) {
      const hubPath = `${name}/resolve/${revision}/${file.path}`;
      await downloadFile(file, hubPath, path.join(staging, file.path), hub, (bytes) => {
        onProgress?.({ file: file.path, bytes, total: file.size });
      });
    }
  };
  await fetchFiles(files.filter(({ path: filePath }) => textFiles.includes(filePath)));
  await checkSpecification(staging, name);
  await fetchFiles(files.filter(({ path: filePath }) => !textFiles.includes(filePath)));
  await rename(staging, directory);
}

async function revisionOf(model: string, hub: HubOptions): Promise<string> {
  const described = await hubJson(`api/models/${model}`, hub);
  if (described === null) throw unavailable(`The model hub has no public model ${model}.`);

  const revision = isJsonObject(described) ? described.sha : undefined;
  if (typeof revision === "string" && /^[0-9a-f]{40}$/.test(revision)) return revision;
  throw unavailable("The model hub does not say which revision of the model is current.");
}

async function missingBytes(staging: string, files: readonly HubFile[]): Promise<number> {
  const sizes = files.map(async ({ path: filePath, size }) => {
    const [whole, part] = await Promise.all([
      sizeOf(path.join(staging, filePath)),
      sizeOf(path.join(staging, `${filePath}.part`)),
    ]);
    return Math.max(0, size - whole - part);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** True if a model is already there, downloaded or put there by somebody. */
export async function isComplete(directory: string): Promise<boolean> {
  if ((await readManifest(directory)) !== undefined) return true;
  return (
    (await isDirectory(directory)) &&
    (await checkModel(directory).then(
      () => true,
      () => false,
    ))
  );
}

function offline(model: string, directory: string, hubUrl: string, cause: TransferError): WhisperError {
  const advice = `Connect this machine once, or put the model's files into ${directory}, or name a directory.`;
  const message = `The model ${model} is not on this machine and ${hubUrl} did not give it (${cause.message}). ${advice}`;
  return unavailable(message, cause);
}
