import { restBasePath, type SubtitledVideo } from "@reelscript/contract";
import type { StoredVideo } from "../ports.ts";

/** A video as its account sees it. */
export function describeVideo(video: StoredVideo, baseUrl: string): SubtitledVideo {
  const { state, failure, endedAt, deletedAt, deletedBytes, keptUntil, size } = video;
  return {
    id: video.id,
    scriptId: video.scriptId,
    style: video.style,
    status: state,
    progress: video.progress,
    createdAt: video.createdAt.toISOString(),
    ...(endedAt !== null && { finishedAt: endedAt.toISOString() }),
    ...(size !== null && { bytes: size }),
    ...(keptUntil !== null && {
      keptUntil: keptUntil.toISOString(),
      downloadUrl: `${baseUrl}${restBasePath}/videos/${video.id}/media`,
    }),
    ...(video.lacksLetters && { lacksLetters: true as const }),
    ...(failure && {
      error: { code: failure.code, message: failure.message, ...(failure.reason && { reason: failure.reason }) },
    }),
    ...(deletedAt !== null && { deletion: { at: deletedAt.toISOString(), bytes: deletedBytes ?? 0 } }),
  };
}
