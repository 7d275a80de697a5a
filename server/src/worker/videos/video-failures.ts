import { videoLimits, type ErrorReason } from "@reelscript/contract";
import type { Failure } from "../../ports.ts";
import type { RenderFailure } from "../../ports/video-renderer.ts";

const refused = (reason: ErrorReason, message: string): Failure => ({
  code: "invalidRequest",
  status: 422,
  reason,
  message,
});

const broken = (cause: string): Failure => ({
  code: "internalError",
  status: 500,
  message: `The video couldn't be made: ${cause}. Try again later, or export the file as MP4 with H.264 and send that.`,
});

/** How failures of the renderer end a video, by their kind. Those of the code `internalError` are tried again first, except `tookTooLong`. */
export const videoFailures: { readonly [Kind in RenderFailure]: Failure } = {
  noPicture: refused("noPicture", "The file has no picture that we can decode, so it can't become a video."),
  tooLong: refused(
    "videoTooLong",
    `The file's picture lasts longer than ${videoLimits.longestSeconds / 60} minutes, the most for a subtitled video.`,
  ),
  tooLarge: refused(
    "videoTooLarge",
    `The video would have more than ${videoLimits.mostBytes / 1_000_000} MB, the most for a subtitled video.`,
  ),
  tookTooLong: broken("making it took longer than the limit"),
  tookTooMuchMemory: broken("making it took more memory than the limit"),
  stoodStill: broken("the renderer stopped responding"),
  broke: broken("the renderer ended with an error"),
};

export const fileGone: Failure = refused(
  "fileNotKept",
  "The file was deleted before its video was made. Send it again and keep it.",
);

/** For errors that aren't the renderer's. */
export const failedHere: Failure = broken("it failed on our side");

/** For videos whose worker died at each try. */
export const workersDied: Failure = broken("the worker that made it stopped each time");
