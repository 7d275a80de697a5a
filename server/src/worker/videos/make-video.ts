import { mkdir, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { ServiceError } from "@reelscript/contract";
import type { Clock, Failure, Store, VideoClaim, VideoRenderer } from "../../ports.ts";
import { filePartBytes } from "../../ports/files.ts";
import { SentMediaAway } from "../../ports/sent-media.ts";
import { RenderError } from "../../ports/video-renderer.ts";
import { videoPartBytes } from "../../ports/videos.ts";
import { isFaultOfMachine, type MachineHealth } from "../health.ts";
import { leaseSeconds, untilStored } from "../work-on-claim.ts";
import { failedHere, fileGone, videoFailures } from "./video-failures.ts";

export interface MakeVideoNeeds {
  readonly store: Pick<Store, "files" | "videos">;
  readonly renderer: VideoRenderer;
  readonly clock: Clock;
  readonly workDirectory: string;
  readonly health: MachineHealth;
  readonly onFault: (error: unknown, claim?: VideoClaim) => void;
}

const heartbeatMilliseconds = 1_000;
/** Share of the progress that the renderer takes; storing takes the rest. */
const shareOfRendering = 0.95;
/** Pauses before a video is tried again, and before the storage is asked again. */
const retryMilliseconds = 10_000;
const storageMilliseconds = 30_000;

const names = { media: "media", subtitles: "subtitles.ass", output: "video.mp4" } as const;

class FileGone extends Error {
  override readonly name = "FileGone";
}

/** The lease was lost, so another worker makes the video, or nobody wants it any more. */
class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** Makes one video until it is stored or has failed, or gives it back on `stopping` or if this machine can't make it. */
export async function makeVideo(needs: MakeVideoNeeds, claim: VideoClaim, stopping: AbortSignal): Promise<void> {
  const { store, clock, health, onFault } = needs;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const state = { progress: 0 };
  const heartbeat = startHeartbeat(needs, claim, state, () => lost.abort(new LeaseLost()));
  let directory: string | undefined;
  try {
    await mkdir(needs.workDirectory, { recursive: true, mode: 0o700 });
    directory = await mkdtemp(path.join(needs.workDirectory, "video-"));
    await writeMedia(needs, claim, path.join(directory, names.media), signal);
    await writeFile(path.join(directory, names.subtitles), claim.subtitles, { mode: 0o600 });
    signal.throwIfAborted();
    const { lacksLetters } = await needs.renderer.render({
      directory,
      ...names,
      signal,
      onProgress: (share) => (state.progress = share * shareOfRendering),
    });
    // Its room is needed no more.
    await rm(path.join(directory, names.media));
    const size = await storeParts(needs, claim, path.join(directory, names.output), { state, signal });
    await untilStored(() => store.videos.complete(claim, { size, lacksLetters, now: clock.now() }), signal);
    health.succeeded();
  } catch (error) {
    if (!lost.signal.aborted) await settle(needs, claim, error, stopping);
  } finally {
    clearInterval(heartbeat);
    if (directory !== undefined)
      await rm(directory, { recursive: true, force: true }).catch((error: unknown) => onFault(error, claim));
  }
}

/** Renews the lease, even while the database is down. */
function startHeartbeat(
  { store, clock, onFault }: MakeVideoNeeds,
  claim: VideoClaim,
  state: { readonly progress: number },
  onLost: () => void,
): NodeJS.Timeout {
  let isBeating = false;
  return setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    store.videos
      .extend(claim, state.progress, leaseSeconds, clock.now())
      .then((held) => void (held || onLost()))
      .catch((error: unknown) => void (isAway(error) || onFault(error, claim)))
      .finally(() => (isBeating = false));
  }, heartbeatMilliseconds);
}

const isAway = (error: unknown): boolean => error instanceof ServiceError && error.code === "unavailable";

async function writeMedia(
  { store: { files } }: MakeVideoNeeds,
  { accountId, fileId }: VideoClaim,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const keptFile = await files.findKept(accountId, fileId);
  if (keptFile === undefined) throw new FileGone();
  const opened = await open(file, "wx", 0o600);
  try {
    for (let number = 0; number * filePartBytes < keptFile.size; number += 1) {
      signal.throwIfAborted();
      const part = await files.readKeptPart(fileId, number);
      if (part === undefined) throw new FileGone();
      await opened.writeFile(part);
    }
  } finally {
    await opened.close();
  }
}

/** Returns the number of bytes. */
async function storeParts(
  { store: { videos } }: MakeVideoNeeds,
  claim: VideoClaim,
  file: string,
  { state, signal }: { readonly state: { progress: number }; readonly signal: AbortSignal },
): Promise<number> {
  const { size } = await stat(file);
  const opened = await open(file, "r");
  try {
    for (let number = 0; number * videoPartBytes < size; number += 1) {
      signal.throwIfAborted();
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(videoPartBytes), 0, videoPartBytes, null);
      const part = buffer.subarray(0, bytesRead);
      if (!(await untilStored(() => videos.append(claim, number, part), signal))) throw new LeaseLost();
      state.progress = shareOfRendering + (1 - shareOfRendering) * Math.min(1, ((number + 1) * videoPartBytes) / size);
    }
  } finally {
    await opened.close();
  }
  return size;
}

/** Decides what happens to a video that wasn't made: it fails, or goes back and is tried again. */
async function settle(
  { store: { videos }, clock, health, onFault }: MakeVideoNeeds,
  claim: VideoClaim,
  error: unknown,
  stopping: AbortSignal,
): Promise<void> {
  const until = (write: () => Promise<boolean>): Promise<boolean> => untilStored(write, stopping);
  const fail = (failure: Failure) => until(() => videos.fail(claim, failure, clock.now()));
  const release = (isSetback: boolean, milliseconds: number) =>
    until(() => videos.release(claim, { isSetback, resumeAt: new Date(clock.now().getTime() + milliseconds) }));
  if (stopping.aborted) return void (await videos.release(claim, { isSetback: true, resumeAt: clock.now() }));
  if (error instanceof LeaseLost) return;
  if (error instanceof FileGone) return void (await fail(fileGone));
  if (error instanceof SentMediaAway) return void (await release(true, storageMilliseconds));
  if (isAway(error)) {
    onFault(error, claim);
    return void (await release(true, storageMilliseconds));
  }
  if (error instanceof RenderError && videoFailures[error.failure].code === "invalidRequest")
    return void (await fail(videoFailures[error.failure]));
  onFault(error, claim);
  if (isFaultOfMachine(error)) {
    health.failed();
    return void (await release(true, retryMilliseconds));
  }
  // It would take as long again, and others wait.
  const isTooLong = error instanceof RenderError && error.failure === "tookTooLong";
  if (claim.mayRetry && !isTooLong) return void (await release(false, retryMilliseconds));
  await fail(error instanceof RenderError ? videoFailures[error.failure] : failedHere);
}
