import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** What the hub states: the SHA-256 of a large file, the git blob id of a small one. */
export interface Checksum {
  readonly kind: "sha256" | "gitBlob";
  readonly hex: string;
}

export async function hasChecksum(path: string, size: number, checksum: Checksum): Promise<boolean> {
  const hash = createHash(checksum.kind === "sha256" ? "sha256" : "sha1");
  if (checksum.kind === "gitBlob") hash.update(`blob ${size}\0`);
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex") === checksum.hex;
}
