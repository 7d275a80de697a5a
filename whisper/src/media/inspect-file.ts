import { open } from "node:fs/promises";
import { WhisperError } from "../whisper-error.ts";

/** The containers that are read; each has one demuxer, which is forced. */
export type Container = "isobmff" | "ebml" | "mp3" | "ogg" | "wav" | "flac";

/** How many leading bytes `sniffContainer` wants to see: two of the longest MP3 frames. */
const sniffedBytes = 4096;

const firstBoxes = new Set(["ftyp", "styp", "moov", "mdat", "free", "skip", "wide"]);

/**
 * Names the container from the first bytes of a file (up to `sniffedBytes`), or `null` for anything else:
 * playlists, scripts and text are never handed to a demuxer that would follow what they point to.
 */
export function sniffContainer(firstBytes: Uint8Array): Container | null {
  if (startsWithBox(firstBytes)) return "isobmff";
  if (matches(firstBytes, 0, [0x1a, 0x45, 0xdf, 0xa3])) return "ebml";
  if (text(firstBytes, 0, 4) === "OggS" && firstBytes[4] === 0) return "ogg";
  if (text(firstBytes, 0, 4) === "fLaC") return "flac";
  const riff = text(firstBytes, 0, 4);
  if ((riff === "RIFF" || riff === "RF64") && text(firstBytes, 8, 12) === "WAVE") return "wav";
  if (startsWithId3(firstBytes) || startsWithMp3Frames(firstBytes)) return "mp3";
  return null;
}

function startsWithBox(bytes: Uint8Array): boolean {
  if (bytes.length < 16 || !firstBoxes.has(text(bytes, 4, 8))) return false;
  const size = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
  return size === 0 || size === 1 || size >= 8;
}

function startsWithId3(bytes: Uint8Array): boolean {
  if (bytes.length < 10 || text(bytes, 0, 3) !== "ID3") return false;
  const version = bytes[3] ?? 0;
  return version >= 2 && version <= 4 && bytes[4] !== 0xff && bytes.subarray(6, 10).every((byte) => byte < 0x80);
}

function startsWithMp3Frames(bytes: Uint8Array): boolean {
  const first = mp3FrameLength(bytes, 0);
  if (first === null) return false;
  const second = mp3FrameLength(bytes, first);
  const sameKind = ((bytes[1] ?? 0) & 0xfe) === ((bytes[first + 1] ?? 0) & 0xfe);
  return second !== null && sameKind;
}

const mpeg1Layer3Kbits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const mpeg2Layer3Kbits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const mpeg1Rates = [44_100, 48_000, 32_000];

function mp3FrameLength(bytes: Uint8Array, offset: number): number | null {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(offset, offset + 4);
  if (offset + 4 > bytes.length || sync !== 0xff || (kind & 0xe0) !== 0xe0) return null;
  const version = (kind >> 3) & 3;
  const layer = (kind >> 1) & 3;
  if (version === 1 || layer !== 1) return null;
  const isMpeg1 = version === 3;
  const kbits = (isMpeg1 ? mpeg1Layer3Kbits : mpeg2Layer3Kbits)[rates >> 4];
  const mpeg1Rate = mpeg1Rates[(rates >> 2) & 3];
  if (!kbits || mpeg1Rate === undefined) return null;
  const rate = isMpeg1 ? mpeg1Rate : mpeg1Rate / (version === 2 ? 2 : 4);
  const padding = (rates >> 1) & 1;
  return Math.floor(((isMpeg1 ? 144 : 72) * kbits * 1000) / rate) + padding;
}

function text(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function matches(bytes: Uint8Array, offset: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[offset + index] === byte);
}

export interface InspectedFile {
  readonly path: string;
  readonly bytes: number;
  readonly container: Container;
}

/** Looks at a file before any decoder sees it. Throws `WhisperError`. */
export async function inspectFile(path: string, maxBytes: number): Promise<InspectedFile> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw new WhisperError("undecodable", "The media file cannot be opened.", { cause: error });
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new WhisperError("undecodable", "The media is not a regular file.");
    if (stat.size === 0) throw new WhisperError("undecodable", "The media file is empty.");
    if (stat.size > maxBytes)
      throw new WhisperError("tooLarge", `The media file has ${stat.size} bytes; at most ${maxBytes} are read.`);

    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    const container = sniffContainer(buffer.subarray(0, bytesRead));
    if (container === null)
      throw new WhisperError("unsupportedContainer", "The file is not an MP4, WebM, MP3, Ogg, WAV or FLAC.");

    return { path, bytes: stat.size, container };
  } finally {
    await file.close();
  }
}
