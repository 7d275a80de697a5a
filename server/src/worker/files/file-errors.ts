import { ServiceError } from "@reelscript/contract";
import { WhisperError } from "@reelscript/whisper";
import { contentError } from "../../recognition/file-content.ts";

/** An error about a reel's media, as the sender of a file reads it. */
export function asFileError(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== "invalidRequest") return error;
  const { cause, message, status } = error;
  if (cause instanceof WhisperError && cause.code === "brokenOff") return contentError("mediaBrokenOff");
  const { reason } = error as ServiceError<"invalidRequest">;
  return new ServiceError("invalidRequest", message.replaceAll("reel", "file"), {
    reason: reason as "unreadableMedia", // safe: it is the reason of the same code
    status: status as 422,
    cause,
  });
}
