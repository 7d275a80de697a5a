import { ServiceError } from "@reelscript/contract";
import type { PeriodicTask } from "../../ports.ts";
import { beginVideo, type BeginVideoNeeds } from "./begin-video.ts";

const atATime = 20;

/** Begins the videos that were asked for with files whose words are there now. */
export const beginVideosOfFiles = (needs: BeginVideoNeeds): PeriodicTask => ({
  name: "begin-videos",
  everySeconds: 2,
  scope: "service",
  async run() {
    const due = await needs.videos.due(atATime);
    for (const { fileId, accountId, scriptId, style } of due)
      try {
        await beginVideo(needs, { accountId, scriptId, style, replace: true });
        await needs.videos.noteBegun(fileId);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        // Whoever wants the video anyway begins it on the script's page, which says what is missing.
        if (error.retryAfter === undefined || error.reason === "tooManyVideos") await needs.videos.noteBegun(fileId);
      }
    return due.length === atATime;
  },
});
