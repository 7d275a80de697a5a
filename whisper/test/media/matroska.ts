/** A block of one track, in milliseconds of the file. */
export interface Block {
  readonly track: number;
  readonly milliseconds: number;
  readonly bytes: Uint8Array;
}

export interface AudioTrack {
  readonly channels: number;
  readonly isDefault?: boolean;
}

/** A Matroska file of 16 kHz floating point, with a picture at 0 that nobody decodes. Audio tracks are numbered from 2. */
export function matroska(tracks: readonly AudioTrack[], blocks: readonly Block[]): Buffer {
  const picture: Block = { track: 1, milliseconds: 0, bytes: Buffer.alloc(10) };
  return Buffer.concat([
    element(0x1a45dfa3, element(0x4282, Buffer.from("matroska")), number(0x4287, 4), number(0x4285, 2)),
    element(
      0x18538067,
      element(0x1549a966, number(0x2ad7b1, 1_000_000)),
      element(0x1654ae6b, videoEntry(), ...tracks.map((track, index) => audioEntry(track, index + 2))),
      ...[picture, ...blocks].map(cluster),
    ),
  ]);
}

/** Samples of several channels, as they lie in a block. */
export function interleaved(...channels: readonly Float32Array[]): Buffer {
  const bytes = Buffer.alloc(channels.length * (channels[0]?.length ?? 0) * 4);
  for (const [channel, samples] of channels.entries())
    for (const [index, sample] of samples.entries())
      bytes.writeFloatLE(sample, (index * channels.length + channel) * 4);
  return bytes;
}

function videoEntry(): Buffer {
  const size = element(0xe0, number(0xb0, 16), number(0xba, 16));
  return element(0xae, number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), element(0x86, Buffer.from("V_VP8")), size);
}

function audioEntry({ channels, isDefault = true }: AudioTrack, track: number): Buffer {
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(16_000);
  const audio = element(0xe1, number(0x9f, channels), element(0xb5, rate), number(0x6264, 32));
  const codec = element(0x86, Buffer.from("A_PCM/FLOAT/IEEE"));
  const flag = number(0x88, isDefault ? 1 : 0);
  return element(0xae, number(0xd7, track), number(0x73c5, track), number(0x83, 2), flag, codec, audio);
}

function cluster({ track, milliseconds, bytes }: Block): Buffer {
  const block = element(0xa3, Buffer.from([0x80 | track, 0, 0, 0x80]), bytes);
  return element(0x1f43b675, number(0xe7, milliseconds), block);
}

function number(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(id, bytes);
}

function element(id: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const name = Buffer.alloc(4);
  name.writeUInt32BE(id);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  size[0] = 1;
  return Buffer.concat([name.subarray(name.findIndex((byte) => byte !== 0)), size, body]);
}
