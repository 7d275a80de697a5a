import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { fileLimits, ServiceError } from "@reelscript/contract";
import type { Claim, ReelAddress, ReelDetails, Store, Transcriber } from "../../ports.ts";
import { contentError, longestSound, paddedSeconds } from "../../recognition/file-content.ts";
import { examineFile } from "./examine-file.ts";

interface TakeNeeds {
  readonly store: Pick<Store, "files">;
  readonly transcriber: Pick<Transcriber, "measure">;
  /** Seconds of the longest file. */
  readonly maxFileSeconds: number;
}

/** Lengths that people read off a player are rounded. */
const roundedSeconds = 2;

/**
 * Writes an account's own file to `path`, and checks it before anything is recognized, unless it is to be translated: what it is,
 * that it is whole and unchanged, and how long it is. Then as many units are held as it uses. Throws `invalidRequest`, and `limitReached` when too few are held.
 */
export async function takeFile(
  { store: { files }, transcriber, maxFileSeconds }: TakeNeeds,
  { transcriptionId, reel, translates }: Claim,
  path: string,
  signal: AbortSignal,
): Promise<ReelDetails> {
  const claimed = translates ? undefined : await files.claimed(transcriptionId);
  if (claimed === undefined && !translates) throw new Error("a transcription has lost its file");
  const hash = createHash("sha256");
  const opened = await open(path, "wx", 0o600);
  let parts = 0;
  try {
    for (; ; parts += 1) {
      signal.throwIfAborted();
      const part = await files.readPart(transcriptionId, parts);
      if (part === undefined) break;
      hash.update(part);
      await opened.writeFile(part);
    }
  } finally {
    await opened.close();
  }
  // All of it was checked when it was transcribed.
  if (claimed === undefined) {
    if (parts === 0) throw new ServiceError("notFound", "The file is no longer kept, so it can't be translated.");
    return detailsOf(reel, null, null);
  }
  if (claimed.sha256 !== null && !hash.digest().equals(claimed.sha256)) throw contentError("mediaChanged");
  await examineFile(path);
  const { seconds, isLonger } = await transcriber.measure(path, {
    maxSeconds: longestSound(maxFileSeconds),
    signal,
  });
  if (isLonger)
    throw new ServiceError(
      "invalidRequest",
      `This file is longer than ${Math.floor(maxFileSeconds / 60)} minutes, the most that is transcribed. You weren't charged.`,
      { reason: "videoTooLong" },
    );
  if (claimed.seconds !== null && seconds > claimed.seconds + roundedSeconds) throw contentError("longerThanStated");
  const units = Math.max(1, Math.ceil((seconds - paddedSeconds) / fileLimits.secondsOfUnit));
  if (units > claimed.units)
    throw new ServiceError(
      "limitReached",
      `This file lasts ${Math.ceil(seconds / 60)} minutes and needs ${units} transcriptions, one per started 15 minutes, but only ${claimed.units} of your allowance ${claimed.units === 1 ? "was" : "were"} left. You weren't charged. Upgrading raises the limit.`,
      { reason: "transcriptionsUsed" },
    );
  await files.holdOnly(transcriptionId, units);
  return detailsOf(reel, claimed.title, seconds);
}

const detailsOf = (reel: ReelAddress, title: string | null, seconds: number | null): ReelDetails => ({
  ...reel,
  caption: title,
  author: { handle: null, displayName: null, verified: null },
  thumbnail: null,
  dimensions: null,
  durationSeconds: seconds,
  hasAudio: true,
  views: null,
  likes: null,
  comments: null,
  postedAt: null,
});
