/** Decoded audio as the child hands it over. */
export interface TimedAudio {
  /** When it is heard, in milliseconds of the file's timeline. */
  readonly milliseconds: number;
  /** 1 to 8. */
  readonly channels: number;
  /** One number for each channel, then those of the next moment. */
  readonly samples: Float32Array;
}

/** Elements of Matroska (RFC 9559) in which something is looked for. */
const opened = new Set([0x18538067, 0x1654ae6b, 0xae, 0xe1, 0x1f43b675, 0xa0]);
const channelsId = 0x9f;
const clusterTimeId = 0xe7;
const blockIds = new Set([0xa3, 0xa1]);
const numberIds = new Set([channelsId, clusterTimeId]);

const mostChannels = 8;
/** A decoded frame has some thousand samples; that of FLAC up to 65,536. */
const largestBlock = 4 * mostChannels * 2 ** 17;
const bytesPerSample = 4;

/** The child's output is not what it should be: it was taken over, or its ffmpeg writes Matroska in another way. */
export class StrangeOutput extends Error {
  override readonly name = "StrangeOutput";
}

/**
 * Reads samples and their times out of the Matroska that ffmpeg writes: one track of 32-bit floating point, times in
 * milliseconds. Takes its bytes in chunks of any length; holds one block at most.
 */
export class TimedAudioReader {
  #bytes: Buffer = Buffer.alloc(0);
  #skipped = 0;
  #channels = 0;
  #clusterTime = 0;

  /** Throws `StrangeOutput`. */
  *read(chunk: Uint8Array): Generator<TimedAudio, void, undefined> {
    const skipped = Math.min(this.#skipped, chunk.length);
    this.#skipped -= skipped;
    const fresh = chunk.subarray(skipped);
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(fresh) : Buffer.concat([this.#bytes, fresh]);
    for (;;) {
      const element = elementAt(this.#bytes);
      if (element === undefined) return;
      const { id, size, headerBytes } = element;
      if (opened.has(id)) {
        this.#bytes = this.#bytes.subarray(headerBytes);
        continue;
      }
      const isWanted = blockIds.has(id) || numberIds.has(id);
      if (isWanted && size > (numberIds.has(id) ? 8 : largestBlock))
        throw new StrangeOutput(`an element of ${size} bytes`);
      if (isWanted && this.#bytes.length < headerBytes + size) return;
      const end = Math.min(headerBytes + size, this.#bytes.length);
      const body = this.#bytes.subarray(headerBytes, end);
      this.#skipped = headerBytes + size - end;
      this.#bytes = this.#bytes.subarray(end);
      if (blockIds.has(id)) yield this.#block(body);
      else if (isWanted) this.#note(id, numberOf(body));
    }
  }

  #note(id: number, value: number): void {
    if (id === clusterTimeId) this.#clusterTime = value;
    else if (value >= 1 && value <= mostChannels && [0, value].includes(this.#channels)) this.#channels = value;
    else throw new StrangeOutput(`${value} channels`);
  }

  /** The number of the track (one byte), the time within the cluster (two), flags, and the samples. */
  #block(body: Buffer): TimedAudio {
    const channels = this.#channels;
    const count = Math.floor((body.length - 4) / (bytesPerSample * channels)) * channels;
    if (channels === 0 || count < 0) throw new StrangeOutput("a block without channels or samples");
    const samples = new Float32Array(count);
    const view = new DataView(body.buffer, body.byteOffset + 4, count * bytesPerSample);
    for (let index = 0; index < count; index += 1) samples[index] = tame(view.getFloat32(index * bytesPerSample, true));
    return { milliseconds: this.#clusterTime + body.readInt16BE(1), channels, samples };
  }
}

interface Element {
  readonly id: number;
  readonly size: number;
  readonly headerBytes: number;
}

/** `undefined` where more bytes are needed to know. */
function elementAt(bytes: Buffer): Element | undefined {
  const idBytes = vintBytes(bytes[0]);
  const sizeBytes = vintBytes(bytes[idBytes]);
  const headerBytes = idBytes + sizeBytes;
  if (bytes.length < headerBytes || bytes.length <= idBytes) return undefined;
  if (idBytes > 4 || sizeBytes > 8) throw new StrangeOutput("no element");
  const id = bytes.readUIntBE(0, idBytes);
  return { id, size: sizeOf(bytes, idBytes, sizeBytes), headerBytes };
}

function sizeOf(bytes: Buffer, at: number, length: number): number {
  let size = (bytes[at] ?? 0) & (0xff >> length);
  for (let index = 1; index < length; index += 1) size = size * 256 + (bytes[at + index] ?? 0);
  return size;
}

/** How many bytes a number of variable length has, by its first one. */
const vintBytes = (first = 0): number => Math.clz32(first) - 23;

function numberOf(body: Buffer): number {
  let value = 0;
  for (const byte of body) value = value * 256 + byte;
  return value;
}

/** Files in floating point may hold anything. */
function tame(value: number): number {
  if (value >= -1 && value <= 1) return value;
  if (value > 1) return 1;
  return value < -1 ? -1 : 0;
}
