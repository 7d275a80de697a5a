import { createWriteStream } from "node:fs";
import { lstat, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";

const blockBytes = 512;
const chunkBytes = 1024 * 1024;
const safeName = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\/?$/;

interface ArchivedFile {
  /** Below the archived folder. */
  readonly name: string;
  /** Instead of what is in the file. */
  readonly content?: Buffer;
}

/**
 * Files and folders below `directory` as a tar archive, read piece by piece. A file may change meanwhile: as many bytes are
 * taken as it had when its turn came, and zeros where it became shorter. One that is gone is left out.
 */
export async function* tarOf(directory: string, files: AsyncIterable<ArchivedFile>): AsyncGenerator<Buffer> {
  for await (const { name, content } of files) {
    const file = path.join(directory, name);
    if (content !== undefined) {
      yield header(name, content.length);
      yield content;
      yield padding(content.length);
      continue;
    }
    const found = await lstat(file).catch(ignoreMissing);
    if (found?.isDirectory()) yield header(name, undefined);
    if (!found?.isFile()) continue;
    const handle = await open(file).catch(ignoreMissing);
    if (handle === undefined) continue;
    try {
      const { size } = await handle.stat();
      yield header(name, size);
      let left = size;
      while (left > 0) {
        const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(left, chunkBytes)));
        if (bytesRead === 0) break;
        left -= bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
      for (; left > 0; left -= Math.min(left, chunkBytes)) yield Buffer.alloc(Math.min(left, chunkBytes));
      yield padding(size);
    } finally {
      await handle.close();
    }
  }
  yield Buffer.alloc(2 * blockBytes);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

const padding = (size: number): Buffer => Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);

function header(name: string, size: number | undefined): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  if (name.length > 100) throw new Error(`The name ${name} is too long for an archive`);
  block.write(name, 0, "latin1");
  octal(size === undefined ? 0o700 : 0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size ?? 0, 124, 12);
  octal(0, 136, 12);
  block.fill(" ", 148, 156);
  block.write(size === undefined ? "5" : "0", 156, "latin1");
  block.write("ustar\x0000", 257, "latin1");
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

/** Writes the files of a tar archive below `directory`. Throws when it is none, or holds anything but plain files and folders. */
export async function unpackTar(archive: AsyncIterable<Buffer>, directory: string): Promise<void> {
  const reader = createReader(archive);
  for (;;) {
    const block = await reader.take(blockBytes);
    if (block.every((byte) => byte === 0)) break;
    const { name, size, type } = readHeader(block);
    const target = path.join(directory, name);
    if (type === "folder") {
      await mkdir(target, { recursive: true, mode: 0o700 });
      continue;
    }
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(reader.pieces(size), createWriteStream(target, { mode: 0o600, flush: true, flags: "wx" }));
    await reader.take(padding(size).length);
  }
  await reader.drain();
}

function readHeader(block: Buffer): { name: string; size: number; type: "file" | "folder" } {
  const text = (from: number, to: number): string => block.toString("latin1", from, to).replace(/\0[^]*$/, "");
  const number = (from: number, to: number): number => {
    const value = text(from, to).trim();
    return /^[0-7]+$/.test(value) ? Number.parseInt(value, 8) : Number.NaN;
  };
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  const name = text(0, 100);
  const type = text(156, 157);
  const size = number(124, 136);
  if (number(148, 156) !== sum || !Number.isSafeInteger(size)) throw new Error("not a tar archive");
  if (!safeName.test(name)) throw new Error(`an archive of a database has no file ${JSON.stringify(name)}`);
  if (type !== "5" && type !== "0") throw new Error(`${name} is neither a file nor a folder`);
  return { name, size, type: type === "5" ? "folder" : "file" };
}

function createReader(archive: AsyncIterable<Buffer>) {
  const source = archive[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  async function* pieces(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      if (rest.length === 0) {
        const { value, done } = await source.next();
        if (done) throw new Error("the archive ends too early");
        rest = value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  return {
    pieces,
    async take(size: number): Promise<Buffer> {
      const taken: Buffer[] = [];
      for await (const piece of pieces(size)) taken.push(piece);
      return Buffer.concat(taken);
    },
    /** To the end, where a compressed archive shows whether it is whole. */
    async drain(): Promise<void> {
      while (!(await source.next()).done);
    },
  };
}
