import { once } from "node:events";
import { crc32, createDeflate, deflateSync } from "node:zlib";
import sharp from "sharp";

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const pngChunk = (type: string, body: Uint8Array = new Uint8Array()): Buffer => {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), body]);
  return Buffer.concat([uint32(body.length), typed, uint32(crc32(typed))]);
};

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
interface PngHead {
  readonly width: number;
  readonly height: number;
  readonly bits?: 8 | 16;
  /** 6 is red, green, blue and alpha. */
  readonly colors?: 2 | 6;
  readonly interlaced?: boolean;
}
const pngHead = ({ width, height, bits = 8, colors = 2, interlaced = false }: PngHead): Buffer =>
  pngChunk(
    "IHDR",
    Buffer.concat([uint32(width), uint32(height), Buffer.from([bits, colors, 0, 0, Number(interlaced)])]),
  );

export const pngOf = (head: PngHead, pixels: Uint8Array, between: readonly Buffer[] = []): Buffer =>
  Buffer.concat([signature, pngHead(head), ...between, pngChunk("IDAT", pixels), pngChunk("IEND")]);

/** So many zeros, compressed, without holding them. */
async function zeros(bytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const packed: Buffer[] = [];
  deflate.on("data", (chunk: Buffer) => packed.push(chunk));
  const block = Buffer.alloc(1_000_000);
  for (let left = bytes; left > 0; left -= block.length)
    if (!deflate.write(block.subarray(0, Math.min(left, block.length)))) await once(deflate, "drain");
  deflate.end();
  await once(deflate, "end");
  return Buffer.concat(packed);
}

/** How many bytes an interlaced picture is before it is compressed. */
const interlacedBytes = (width: number, height: number, bytesPerPixel: number): number =>
  [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ].reduce((sum, [left = 0, top = 0, across = 1, down = 1]) => {
    const columns = Math.ceil((width - left) / across);
    return sum + Math.ceil((height - top) / down) * (1 + columns * bytesPerPixel);
  }, 0);

/** 16 bits a color; each of its rows is complete only at the end. */
export async function interlacedPng(width: number, height: number): Promise<Buffer> {
  const pixels = await zeros(interlacedBytes(width, height, 8));
  return pngOf({ width, height, bits: 16, colors: 6, interlaced: true }, pixels);
}

/** Texts that are small in the file and eight megabytes each when they are unpacked. */
export function textFlood(count = 400): Buffer {
  const text = Buffer.concat([Buffer.from("Comment\0\0", "latin1"), deflateSync(Buffer.alloc(7_900_000, "a"))]);
  const flood = Array.from({ length: count }, () => pngChunk("zTXt", text));
  return pngOf({ width: 64, height: 64 }, deflateSync(Buffer.alloc(64 * (1 + 64 * 3))), flood);
}

export const animatedPng = (frames: number): Buffer =>
  Buffer.concat([
    signature,
    pngHead({ width: 4_000, height: 4_000 }),
    pngChunk("acTL", Buffer.concat([uint32(frames), uint32(0)])),
    ...Array.from({ length: frames }, (_, index) => pngChunk("fcTL", Buffer.concat([uint32(index), Buffer.alloc(22)]))),
    pngChunk("IDAT", deflateSync(Buffer.alloc(9))),
    pngChunk("IEND"),
  ]);

const riffChunk = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};
const webpOf = (...chunks: readonly Buffer[]): Buffer =>
  riffChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
const webpCanvas = (width: number, height: number, flags = 0): Buffer => {
  const body = Buffer.alloc(10);
  body[0] = flags;
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return riffChunk("VP8X", body);
};

/** States a size that its pixels don't have. */
export const webpStating = (webp: Buffer, width: number, height: number): Buffer =>
  webpOf(webpCanvas(width, height), webp.subarray(12));

export const animatedWebp = (webp: Buffer, frames: number, flags: number): Buffer => {
  const frame = riffChunk("ANMF", Buffer.concat([Buffer.alloc(16), webp.subarray(12)]));
  return webpOf(
    webpCanvas(64, 64, flags),
    riffChunk("ANIM", Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  );
};

/** States another size where its frame begins. */
export function jpegStating(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = Math.max(changed.indexOf(Buffer.from([0xff, 0xc0])), changed.indexOf(Buffer.from([0xff, 0xc2])));
  changed.writeUInt16BE(height, frame + 5);
  changed.writeUInt16BE(width, frame + 7);
  return changed;
}

/** Adds comments of 64 kB: 200 of them, 13 MB, still fit the 15 MB of an upload. */
export const commentFlood = (jpeg: Buffer, count = 200): Buffer => {
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(65_533, "a")]);
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, () => comment), jpeg.subarray(2)]);
};

/** Makes a picture of 40 million pixels. A decoder goes over all of it once more for each additional scan. */
export async function progressiveJpeg(more = 0): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 16_000, height: 2_500, channels: 3, background: "#123" } })
    .jpeg({ progressive: true, chromaSubsampling: "4:4:4" })
    .toBuffer();
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(last, -2);
  return Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: more }, () => scan), jpeg.subarray(-2)]);
}

/** States another size in the properties of the image. */
export function avifStating(avif: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(avif);
  const size = changed.indexOf("ispe") + 8;
  changed.writeUInt32BE(width, size);
  changed.writeUInt32BE(height, size + 4);
  return changed;
}
