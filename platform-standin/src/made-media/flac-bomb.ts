import { makeBox, makeFullBox, uint16, uint32 } from "../mp4/boxes.ts";
import { writeMp4 } from "../mp4/write-mp4.ts";

const rate = 16_000;
const blockSize = 65_535;

function crcTable(bits: 8 | 16, polynomial: number): number[] {
  const top = 1 << (bits - 1);
  const mask = 2 ** bits - 1;
  return Array.from({ length: 256 }, (_, byte) => {
    let value = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) value = (value & top ? (value << 1) ^ polynomial : value << 1) & mask;
    return value;
  });
}

const crc8Table = crcTable(8, 0x07);
const crc16Table = crcTable(16, 0x8005);
const crc8 = (bytes: readonly number[]) => bytes.reduce((crc, byte) => crc8Table[crc ^ byte] ?? 0, 0);
const crc16 = (bytes: readonly number[]) =>
  bytes.reduce((crc, byte) => ((crc << 8) & 0xffff) ^ (crc16Table[(crc >> 8) ^ byte] ?? 0), 0);

/** A frame number in the variable-length encoding that FLAC shares with UTF-8. */
const codedNumber = (value: number): number[] => [...Buffer.from(String.fromCodePoint(value), "utf8")];

/** A frame of 65,535 equal samples: four seconds in sixteen bytes. */
function constantFrame(frameNumber: number): Buffer {
  const header = [0xff, 0xf8, 0x75, 0x08, ...codedNumber(frameNumber), (blockSize - 1) >> 8, (blockSize - 1) & 0xff];
  header.push(crc8(header));
  const body = [...header, 0x00, 0x00, 0x00];
  const crc = crc16(body);
  return Buffer.from([...body, crc >> 8, crc & 0xff]);
}

function sampleEntry(totalSamples: number): Buffer {
  const streamInfo = Buffer.alloc(34);
  streamInfo.writeUInt16BE(blockSize, 0);
  streamInfo.writeUInt16BE(blockSize, 2);
  streamInfo.writeBigUInt64BE((BigInt(rate) << 44n) | (15n << 36n) | BigInt(totalSamples), 10);
  const specific = makeFullBox("dfLa", 0, Buffer.from([0x80, 0, 0, 34]), streamInfo);
  const audio = Buffer.concat([Buffer.alloc(6), uint16(1), uint32(0, 0), uint16(1, 16, 0, 0), uint32(rate * 65_536)]);
  return makeBox("fLaC", audio, specific);
}

/** A small mp4 that decodes to this many hours of silence. */
export function makeFlacBomb(hours: number): Buffer {
  const frames = Math.ceil((hours * 3600 * rate) / blockSize);
  // Surrogates aren't code points, so those frames have their neighbor's number.
  const numberOf = (index: number) => (index >= 0xd800 && index <= 0xdfff ? 0xd7ff : index);
  const samples = Array.from({ length: frames }, (_, index) => ({
    bytes: constantFrame(numberOf(index)),
    duration: blockSize,
  }));
  const entry = sampleEntry(frames * blockSize);
  return writeMp4([{ handler: "soun", timescale: rate, sampleEntry: entry, samples, width: 0, height: 0 }]);
}
