import type { KeptVideo, Videos } from "../../ports.ts";
import { videoPartBytes } from "../../ports/videos.ts";
import { noSuchVideo, orThrow } from "../../rules/refusals.ts";
import { bytesOfParts } from "./read-kept-file.ts";

/** Bytes of an account's finished video; throws `notFound` when it isn't kept. */
export interface ReadVideo {
  find(accountId: string, videoId: string): Promise<KeptVideo>;
  /** From the byte `from` to the byte `to`, which is the last. Holds one part at a time. */
  bytes(video: KeptVideo, from: number, to: number): AsyncGenerator<Uint8Array>;
}

export const readVideo = ({ videos }: { readonly videos: Pick<Videos, "findKept" | "readPart"> }): ReadVideo => ({
  find: async (accountId, videoId) => orThrow(await videos.findKept(accountId, videoId), noSuchVideo),
  bytes: ({ id }, from, to) =>
    bytesOfParts(async (number) => orThrow(await videos.readPart(id, number), noSuchVideo), {
      partBytes: videoPartBytes,
      from,
      to,
    }),
});
