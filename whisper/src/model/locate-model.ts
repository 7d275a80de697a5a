import { access, mkdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isJsonObject } from "../recognition/json-fields.ts";
import { findOnnxFiles } from "../recognition/onnx-files.ts";
import { WhisperError } from "../whisper-error.ts";
import { withLock } from "./directory-lock.ts";
import { downloadFile } from "./download-file.ts";
import { hubJson, type HubOptions, TransferError } from "./hub-client.ts";
import { chooseHubFiles, type HubFile } from "./hub-files.ts";

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

const PUBLIC_HUB = "https://huggingface.co";
const HUB_NAME = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;
const MANIFEST = "download.json";

/**
 * The directory of a model: an existing directory as it is, or `owner/name` of the model hub, downloaded once, each
 * file checked against what the hub states for it. Throws `WhisperError`: "unavailable" or "aborted".
 */
export async function locateModel(nameOrPath: string, options: LocateModelOptions): Promise<string> {
  const path = resolve(nameOrPath);
  const isPath = isAbsolute(nameOrPath) || /^\.{0,2}[/\\]|^\.{1,2}$/.test(nameOrPath);
  if (isPath || (await isDirectory(path))) {
    await checkLayout(path);
    return path;
  }
  if (!HUB_NAME.test(nameOrPath) || nameOrPath.includes("..")) {
    throw new WhisperError("unavailable", `${nameOrPath} is neither a directory nor a name like owner/model.`);
  }
  const directory = join(resolve(options.dataDirectory), "models", ...nameOrPath.split("/"));
  if (!(await isComplete(directory))) await obtain(nameOrPath, directory, options);
  await checkLayout(directory);
  return directory;
}

async function obtain(model: string, directory: string, options: LocateModelOptions): Promise<void> {
  const hub: HubOptions = {
    hubUrl: options.hubUrl ?? PUBLIC_HUB,
    fetch: options.fetch ?? globalThis.fetch,
    signal: options.signal ?? new AbortController().signal,
    idleSeconds: options.idleSeconds ?? 60,
  };
  try {
    await mkdir(dirname(directory), { recursive: true });
    await withLock(beside(directory, "lock"), hub.signal, async () => {
      if (!(await isComplete(directory))) await download(model, directory, hub, options.onProgress);
    });
  } catch (error) {
    if (error instanceof WhisperError) throw error;
    if (error instanceof TransferError) throw offline(model, directory, hub.hubUrl, error);
    throw notWritten(directory, error);
  }
}

async function download(
  model: string,
  directory: string,
  hub: HubOptions,
  onProgress: LocateModelOptions["onProgress"],
): Promise<void> {
  if (await isDirectory(directory)) {
    throw new WhisperError(
      "unavailable",
      `${directory} holds something else than a download of ${model}; move it away.`,
    );
  }
  const revision = await revisionOf(model, hub);
  const files = chooseHubFiles(model, await hubJson(`api/models/${model}/tree/${revision}?recursive=true`, hub));
  const staging = beside(directory, "download");
  const manifest = `${JSON.stringify({ model, revision, files }, null, 2)}\n`;
  const staged = await readFile(join(staging, MANIFEST), "utf8").catch(() => null);
  if (staged !== manifest) await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  await writeFile(join(staging, MANIFEST), manifest);
  await checkSpace(staging, files);
  for (const file of files) {
    const hubPath = `${model}/resolve/${revision}/${file.path}`;
    await downloadFile(file, hubPath, join(staging, file.path), hub, (bytes) => {
      onProgress?.({ file: file.path, bytes, total: file.size });
    });
  }
  await rename(staging, directory);
}

/** No model's name begins with a dot. */
function beside(directory: string, kind: string): string {
  return join(dirname(directory), `.${basename(directory)}.${kind}`);
}

async function revisionOf(model: string, hub: HubOptions): Promise<string> {
  const described = await hubJson(`api/models/${model}`, hub);
  if (described === null) {
    throw new WhisperError("unavailable", `The model hub has no public model ${model}.`);
  }
  const revision = isJsonObject(described) ? described.sha : undefined;
  if (typeof revision === "string" && /^[0-9a-f]{40}$/.test(revision)) return revision;
  throw new WhisperError("unavailable", "The model hub does not say which revision of the model is current.");
}

async function checkSpace(staging: string, files: readonly HubFile[]): Promise<void> {
  const sizes = files.map(async ({ path, size }) => {
    const [whole, part] = await Promise.all([sizeOf(join(staging, path)), sizeOf(join(staging, `${path}.part`))]);
    return Math.max(0, size - whole - part);
  });
  const missing = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = await statfs(staging);
  if (bavail * bsize >= missing) return;
  const megabytes = Math.ceil((missing - bavail * bsize) / 1e6);
  throw new WhisperError("unavailable", `The disk of ${staging} lacks ${megabytes} MB for the model.`);
}

async function isComplete(directory: string): Promise<boolean> {
  const manifest = await readFile(join(directory, MANIFEST), "utf8").catch(() => null);
  if (manifest !== null) return true;
  return (
    (await isDirectory(directory)) &&
    (await checkLayout(directory).then(
      () => true,
      () => false,
    ))
  );
}

/** Throws `WhisperError` when the directory is no model that can be loaded. */
async function checkLayout(directory: string): Promise<void> {
  if (!(await isDirectory(directory))) throw new WhisperError("unavailable", `There is no directory ${directory}.`);
  await access(join(directory, "config.json")).catch((cause: unknown) => {
    throw new WhisperError("unavailable", `There is no config.json in ${directory}.`, { cause });
  });
  await findOnnxFiles(directory);
}

function offline(model: string, directory: string, hubUrl: string, cause: TransferError): WhisperError {
  const advice = `Connect this machine once, or put the model's files into ${directory}, or name a directory.`;
  const message = `The model ${model} is not on this machine and ${hubUrl} did not give it (${cause.message}). ${advice}`;
  return new WhisperError("unavailable", message, { cause });
}

function notWritten(directory: string, cause: unknown): WhisperError {
  const { code } = cause as NodeJS.ErrnoException;
  const reason = code === "ENOSPC" ? "the disk is full" : (code ?? String(cause));
  return new WhisperError("unavailable", `The model cannot be stored in ${directory}: ${reason}.`, { cause });
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
