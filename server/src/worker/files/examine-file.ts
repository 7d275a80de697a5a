import { open, type FileHandle } from "node:fs/promises";
import { sniffContainer } from "@reelscript/whisper";
import { contentError, refuseContent } from "../../recognition/file-content.ts";

const firstBytes = 65_536;
/** A description of a film of hours takes some megabytes. */
const mostDescription = 64 * 1_048_576;
/** No honest file has more at its top level; a fragmented one has two for each second. */
const mostBoxes = 100_000;

/**
 * Reads what a container says of itself, before a decoder sees it. Throws `invalidRequest` for files that aren't media, are
 * encrypted, or end before they should.
 */
export async function examineFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const first = await readAt(file, 0, firstBytes);
    refuseContent(first);
    const container = sniffContainer(first);
    if (container === "isobmff") await examineBoxes(file, size);
    if (container === "ebml") examineMatroska(first, size);
    if (container === "wav") examineWave(first, size);
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

const encryptedEntries = ["encv", "enca", "drms", "drmi"];

/** Each box states its size, so one that reaches behind the end shows that bytes are missing. */
async function examineBoxes(file: FileHandle, size: number): Promise<void> {
  let hasDescription = false;
  let position = 0;
  for (let count = 0; position + 8 <= size && count < mostBoxes; count += 1) {
    const head = await readAt(file, position, 16);
    const type = head.toString("latin1", 4, 8);
    let length = head.readUInt32BE(0);
    if (length === 1 && head.length === 16) length = Number(head.readBigUInt64BE(8));
    else if (length === 0) length = size - position;
    if (length < 8) break;
    if (position + length > size) throw contentError("mediaBrokenOff");
    if (type === "moov") {
      hasDescription = true;
      const description = await readAt(file, position, Math.min(length, mostDescription));
      if (description.includes("sinf") && encryptedEntries.some((entry) => description.includes(entry)))
        throw contentError("encryptedMedia");
    }
    position += length;
  }
  // The description is often the last box.
  if (!hasDescription) throw contentError("mediaBrokenOff");
}

const segmentId = Buffer.from([0x18, 0x53, 0x80, 0x67]);
const encodingsId = Buffer.from([0x6d, 0x80]);
const encryptionId = Buffer.from([0x50, 0x35]);

function examineMatroska(first: Buffer, size: number): void {
  const at = first.indexOf(segmentId);
  if (at === -1) return;
  const lengthAt = at + segmentId.length;
  const bytes = Math.clz32(first[lengthAt] ?? 0) - 23;
  if (bytes >= 1 && bytes <= 8 && lengthAt + bytes <= first.length) {
    let length = BigInt((first[lengthAt] ?? 0) & (0xff >> bytes));
    for (let index = 1; index < bytes; index += 1) length = length * 256n + BigInt(first[lengthAt + index] ?? 0);
    const isUnknown = length === (1n << BigInt(7 * bytes)) - 1n;
    if (!isUnknown && BigInt(lengthAt + bytes) + length > BigInt(size)) throw contentError("mediaBrokenOff");
  }
  const encodings = first.indexOf(encodingsId);
  if (encodings !== -1 && first.subarray(encodings, encodings + 64).includes(encryptionId))
    throw contentError("encryptedMedia");
}

/** A recording that was written as it came states the largest size or none. */
function examineWave(first: Buffer, size: number): void {
  if (first.length < 12 || first.toString("latin1", 0, 4) !== "RIFF") return;
  const stated = first.readUInt32LE(4) + 8;
  if (stated > 8 && stated < 0xff_ff_f0_00 && stated > size + 1) throw contentError("mediaBrokenOff");
}
