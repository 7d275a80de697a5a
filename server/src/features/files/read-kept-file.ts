import type { Files, KeptFile } from "../../ports.ts";
import { filePartBytes } from "../../ports/files.ts";
import { mediaTypeOf } from "../../recognition/file-content.ts";
import { noSuchFile, orThrow } from "../../rules/refusals.ts";

/** Bytes of an account's kept file; throws `notFound` when it isn't kept. */
export interface ReadKeptFile {
  find(accountId: string, fileId: string): Promise<KeptFile & { readonly mediaType: string }>;
  /** From the byte `from` to the byte `to`, which is the last. Holds one part at a time. */
  bytes(file: KeptFile, from: number, to: number): AsyncGenerator<Uint8Array>;
}

export const readKeptFile = ({ files }: { readonly files: Files }): ReadKeptFile => ({
  async find(accountId, fileId) {
    const file = orThrow(await files.findKept(accountId, fileId), noSuchFile);
    return { ...file, mediaType: mediaTypeOf(orThrow(await files.readKeptPart(file.id, 0), noSuchFile)) };
  },
  bytes: ({ id }, from, to) =>
    bytesOfParts(async (number) => orThrow(await files.readKeptPart(id, number), noSuchFile), {
      partBytes: filePartBytes,
      from,
      to,
    }),
});

/** Bytes of what is stored in parts of the same length. */
export async function* bytesOfParts(
  readPart: (number: number) => Promise<Uint8Array>,
  { partBytes, from, to }: { readonly partBytes: number; readonly from: number; readonly to: number },
): AsyncGenerator<Uint8Array> {
  for (let number = Math.floor(from / partBytes); number * partBytes <= to; number += 1) {
    const part = await readPart(number);
    yield part.subarray(Math.max(0, from - number * partBytes), to - number * partBytes + 1);
  }
}
