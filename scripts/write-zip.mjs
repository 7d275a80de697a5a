import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

/** January 1, 1980, the format's first day, is the date of every file, so that the same files give the same bytes. */
const day = 0x0021;
const versionNeeded = 20;
const deflated = 8;
const namesAreUtf8 = 0x0800;

/**
 * Packs a folder in alphabetical order.
 * @param {string} file
 * @param {string} folder
 */
export function writeZip(file, folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .map((name) => name.split(path.sep).join("/"))
    .sort();
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const name of names) {
    const bytes = readFileSync(path.join(folder, name));
    const packed = deflateRawSync(bytes, { level: 9 });
    const nameBytes = Buffer.from(name);
    const shared = sharedFields(bytes, packed, nameBytes);
    const head = Buffer.concat([uint32(0x04034b50), shared, nameBytes]);
    directory.push(
      Buffer.concat([uint32(0x02014b50), uint16(versionNeeded), shared, Buffer.alloc(10), uint32(offset), nameBytes]),
    );
    parts.push(head, packed);
    offset += head.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const end = [uint32(0x06054b50), Buffer.alloc(4), uint16(names.length), uint16(names.length)];
  writeFileSync(file, Buffer.concat([...parts, index, ...end, uint32(index.length), uint32(offset), uint16(0)]));
}

/**
 * Header fields that precede each file and are repeated in the index.
 * @param {Buffer} bytes
 * @param {Buffer} packed
 * @param {Buffer} nameBytes
 */
const sharedFields = (bytes, packed, nameBytes) =>
  Buffer.concat([
    uint16(versionNeeded),
    uint16(namesAreUtf8),
    uint16(deflated),
    uint16(0),
    uint16(day),
    uint32(crc32(bytes)),
    uint32(packed.length),
    uint32(bytes.length),
    uint16(nameBytes.length),
    uint16(0),
  ]);

/** @param {number} value */
function uint16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
