import { open } from "node:fs/promises";
import type { Claim, ReelDetails, Store } from "../ports.ts";

/** Writes the media that the account sent into `file`. Only the address of the reel is known: nobody asked the platform. */
export async function takeSentMedia(
  { sentMedia }: Pick<Store, "sentMedia">,
  { transcriptionId, reel }: Claim,
  file: string,
  signal: AbortSignal,
): Promise<ReelDetails> {
  const opened = await open(file, "wx", 0o600);
  try {
    for (let number = 0; ; number += 1) {
      signal.throwIfAborted();
      const part = await sentMedia.readPart(transcriptionId, number);
      if (part === undefined) break;
      await opened.writeFile(part);
    }
  } finally {
    await opened.close();
  }
  return {
    ...reel,
    caption: null,
    author: { handle: null, displayName: null, verified: null },
    thumbnail: null,
    dimensions: null,
    durationSeconds: null,
    hasAudio: null,
    views: null,
    likes: null,
    comments: null,
    postedAt: null,
  };
}
