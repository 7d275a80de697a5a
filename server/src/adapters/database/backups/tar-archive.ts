import { createWriteStream } from "node:fs";
import { lstat, mkdir, open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { extract, pack, type Pack } from "tar-stream";

const chunkBytes = 1024 * 1024;
const safeName = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\/?$/;

interface ArchivedFile {
  /** Below the archived folder. */
  readonly name: string;
  /** Replaces the file's content. */
  readonly content?: Buffer;
}

/**
 * Files and folders below `directory` as a tar archive, read piece by piece. A file may change meanwhile: the archive has as
 * many bytes as the file had when its turn came, with zeros if it became shorter. A file that disappeared is left out.
 */
export async function* tarOf(directory: string, files: AsyncIterable<ArchivedFile>): AsyncGenerator<Buffer> {
  const archive = pack();
  const filling = fill(archive, directory, files).catch((error: Error) => archive.destroy(error));
  try {
    yield* archive as AsyncIterable<Buffer>; // safe: an archive is bytes
  } finally {
    archive.destroy();
    await filling;
  }
}

async function fill(archive: Pack, directory: string, files: AsyncIterable<ArchivedFile>): Promise<void> {
  for await (const { name, content } of files) {
    if (content !== undefined) {
      await pipeline([content], archive.entry({ name, mode: 0o600, mtime, size: content.length }));
      continue;
    }
    const file = path.join(directory, name);
    const stats = await lstat(file).catch(ignoreMissing);
    if (stats?.isDirectory()) archive.entry({ name, mode: 0o700, mtime, type: "directory" });
    if (!stats?.isFile()) continue;
    const handle = await open(file).catch(ignoreMissing);
    if (handle === undefined) continue;
    try {
      const { size } = await handle.stat();
      await pipeline(piecesOf(handle, size), archive.entry({ name, mode: 0o600, mtime, size }));
    } finally {
      await handle.close();
    }
  }
  archive.finalize();
}

/** The database ignores the age of files, so equal files give equal archives. */
const mtime = new Date(0);

async function* piecesOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  let left = size;
  while (left > 0) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(left, chunkBytes)));
    if (bytesRead === 0) break;
    left -= bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
  for (; left > 0; left -= Math.min(left, chunkBytes)) yield Buffer.alloc(Math.min(left, chunkBytes));
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/**
 * Writes the files of a tar archive below `directory`. Throws if it isn't one, or contains anything except plain files and
 * folders.
 */
export async function unpackTar(archive: AsyncIterable<Buffer>, directory: string): Promise<void> {
  const entries = extract();
  const reading = pipeline(archive, entries);
  // The loop below fails with the same error.
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const { name, type } = entry.header;
    if (!safeName.test(name)) throw new Error(`an archive of a database has no file ${JSON.stringify(name)}`);
    if (type !== "directory" && type !== "file") throw new Error(`${name} is neither a file nor a folder`);
    const target = path.join(directory, name);
    const folder = type === "directory" ? target : path.dirname(target);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (type === "directory") entry.resume();
    else await pipeline(entry, createWriteStream(target, { mode: 0o600, flush: true, flags: "wx" }));
  }
  await reading;
}
