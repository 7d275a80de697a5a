import { ServiceError } from "@reelscript/contract";
import type { PeriodicTask } from "../../ports.ts";
import { beginVideo, type BeginVideoNeeds } from "./begin-video.ts";

const atATime = 20;

/** Waiting helps, and nobody has to delete anything for it. */
const isPassing = (error: unknown): boolean =>
  error instanceof ServiceError && error.retryAfter !== undefined && error.reason !== "tooManyVideos";

/**
 * Begins the videos that were asked for with files whose words are there now. One that can't be begun holds up no other: it waits
 * while the service or its account has no room, and is given up otherwise.
 */
export const beginVideosOfFiles = (needs: BeginVideoNeeds): PeriodicTask => ({
  name: "begin-videos",
  everySeconds: 2,
  scope: "service",
  async run() {
    const due = await needs.videos.due(atATime);
    let waiting = 0;
    let failure: { readonly error: unknown } | undefined;
    for (const { fileId, accountId, scriptId, style } of due) {
      try {
        await beginVideo(needs, { accountId, scriptId, style, replace: true });
      } catch (error) {
        if (isPassing(error)) {
          waiting += 1;
          continue;
        }
        if (!(error instanceof ServiceError)) failure ??= { error };
      }
      // Whoever wants the video anyway begins it on the script's page, which says what is missing.
      await needs.videos.noteBegun(fileId);
    }
    if (failure !== undefined) throw failure.error;
    return due.length === atATime && waiting === 0;
  },
});
