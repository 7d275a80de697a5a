import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gaveUp, unavailable } from "../whisper-error.ts";
import { hasChecksum, type HubFile } from "./hub-files.ts";
import { bytesOf, hubGet, type HubOptions, TransferError } from "./hub-client.ts";

const attemptsWithoutProgress = 3;

/**
 * Brings one file to `target`, going on where an earlier attempt stopped (`target` + ".part"). The file has its name
 * only when its checksum is right. Throws `WhisperError`.
 */
export async function downloadFile(
  file: HubFile,
  hubPath: string,
  target: string,
  options: HubOptions,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if ((await sizeOf(target)) === file.size && (await hasChecksum(target, file.size, file.checksum))) {
    onBytes(file.size);
    return;
  }
  const part = `${target}.part`;
  await mkdir(path.dirname(target), { recursive: true });
  const isResumed = await bringToEnd(file, hubPath, part, options, onBytes);
  let isRight = await hasChecksum(part, file.size, file.checksum);
  if (!isRight) await rm(part, { force: true });
  if (!isRight && isResumed) {
    await bringToEnd(file, hubPath, part, options, onBytes);
    isRight = await hasChecksum(part, file.size, file.checksum);
    if (!isRight) await rm(part, { force: true });
  }
  if (!isRight) throw unavailable(`${file.path} does not have the checksum that the hub states for it.`);

  await rename(part, target);
}

/** Returns whether bytes of an earlier run were kept. */
async function bringToEnd(
  file: HubFile,
  hubPath: string,
  part: string,
  options: HubOptions,
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  if ((await sizeOf(part)) > file.size) await rm(part);
  const before = await sizeOf(part);
  let fruitless = 0;
  for (let have = before; have < file.size || file.size === 0;) {
    try {
      await fetchRest(file, hubPath, part, have, options, onBytes);
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      fruitless = (await sizeOf(part)) > have ? 0 : fruitless + 1;
      if (fruitless === attemptsWithoutProgress)
        throw unavailable(
          `The download of ${file.path} broke off (${error.message}). Start again to continue where it stopped.`,
          error,
        );

      await pause(fruitless * 500, undefined, { signal: options.signal }).catch(() => {
        throw gaveUp();
      });
    }
    have = await sizeOf(part);
  }
  onBytes(file.size);
  return before > 0;
}

async function fetchRest(
  file: HubFile,
  hubPath: string,
  part: string,
  have: number,
  options: HubOptions,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const response = await hubGet(hubPath, options, { "accept-encoding": "identity", ...rangeFrom(have) });
  const from = startOf(response, have);
  if (from === null) {
    await response.body?.cancel();
    if (response.status === 416) await rm(part, { force: true });
    throw new TransferError(`it answered ${response.status}`);
  }
  const output = await open(part, from === 0 ? "w" : "a");
  try {
    let written = from;
    for await (const chunk of bytesOf(response, options)) {
      if (written + chunk.length > file.size) {
        await output.truncate(0);
        throw unavailable(`The hub sends more of ${file.path} than it states.`);
      }
      await output.writeFile(chunk);
      written += chunk.length;
      onBytes(written);
    }
    if (written < file.size) throw new TransferError("it ended too early");
    await output.sync();
  } finally {
    await output.close();
  }
}

function rangeFrom(have: number): Record<string, string> {
  return have > 0 ? { range: `bytes=${have}-` } : {};
}

/** The body's position in the file: a server may ignore the range. */
function startOf(response: Response, firstByte: number): number | null {
  if (response.status === 200) return 0;
  if (response.status !== 206 || firstByte === 0) return null;
  return response.headers.get("content-range")?.startsWith(`bytes ${firstByte}-`) ? firstByte : null;
}

/** 0 where there is no file. */
export async function sizeOf(filePath: string): Promise<number> {
  return stat(filePath).then(
    ({ size }) => size,
    () => 0,
  );
}
