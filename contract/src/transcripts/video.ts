import * as z from "zod";
import { StoredError } from "../error-envelope.ts";
import { Id, operation } from "../operation.ts";
import { videoStyleNames } from "../subtitles/video-styles.ts";
import { videoLimits } from "../values/limits.ts";
import type { ErrorReason } from "../values/service-error.ts";
import { exampleScript, ScriptId } from "./script.ts";

const VideoId = Id.meta({ description: "Id of a video, as `POST /videos` gave it." });

export const VideoStyle = z.enum(videoStyleNames).meta({
  description:
    "Look of the words: a quiet line or two (`lowerThird`), one line on a dark band (`oneLine`), or a few large words of which the spoken one has a color (`highlight`).",
});

/** Reasons why a video fails after it was begun. */
const failedReasons: readonly ErrorReason[] = ["fileNotKept", "noPicture", "videoTooLong", "videoTooLarge"];

/** Left of a file or a video when its bytes are deleted. */
export const DeletionReceipt = z
  .object({ at: z.iso.datetime(), bytes: z.int().min(0) })
  .meta({ description: "Receipt of the deletion of its bytes, with their number." });

export const SubtitledVideo = z
  .object({
    id: z.string(),
    scriptId: z.string(),
    style: VideoStyle,
    status: z.enum(["queued", "running", "done", "failed"]),
    progress: z.number().min(0).max(1),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().optional(),
    bytes: z.int().optional().meta({ description: "Bytes of the MP4 file; only when it is done." }),
    keptUntil: z.iso.datetime().optional().meta({ description: "Time until which it can be downloaded." }),
    downloadUrl: z.url().optional().meta({
      description: "Address of the MP4 file, for requests with your key; it takes ranges. Only while it is kept.",
    }),
    lacksLetters: z.literal(true).optional().meta({
      description: "True if the server has no font for some letters, which the video shows as empty boxes.",
    }),
    error: StoredError(failedReasons).optional().meta({ description: "Reason of the failure." }),
    deletion: DeletionReceipt.optional(),
  })
  .meta({ id: "SubtitledVideo" });
export type SubtitledVideo = z.infer<typeof SubtitledVideo>;

const exampleVideo = {
  id: "vid_3Rk7Hn5Bq2WxYt8P",
  scriptId: exampleScript.id,
  style: "highlight" as const,
  status: "queued" as const,
  progress: 0,
  createdAt: "2026-11-20T10:00:00.000Z",
};

export const createVideo = operation({
  summary: "Make a subtitled video",
  description: [
    `Makes a video of a script's file with its words in the picture: MP4 with H.264, 1080x1920 and the original audio. Pictures of another shape are scaled to fit and get black borders. The file must be kept, and at most ${videoLimits.longestSeconds / 60} minutes long. It's free.`,
    "An earlier video of the script in the same style is replaced; one that isn't done yet is returned. The video is kept as long as the file.",
  ].join("\n\n"),
  section: "Transcripts",
  access: "key",
  http: { method: "POST", path: "/videos" },
  input: z.strictObject({
    scriptId: ScriptId,
    style: VideoStyle,
    replace: z.boolean().default(true).meta({
      description: "False returns a video in this style that is kept, or can't be made.",
    }),
  }),
  output: SubtitledVideo,
  errors: ["notFound"],
  reasons: ["videosNotSetUp", "fileNotKept", "nothingSaid", "videoTooLong", "tooManyVideos"],
  example: { scriptId: exampleScript.id, style: "highlight" },
  exampleOutput: exampleVideo,
});

export const getVideo = operation({
  summary: "Get a subtitled video",
  description: "Returns the state of a video, and its address when it is done.",
  section: "Transcripts",
  access: "key",
  http: { method: "GET", path: "/videos/{id}" },
  isFollowing: true,
  input: z.object({ id: VideoId }),
  output: SubtitledVideo,
  errors: ["notFound"],
  example: { id: exampleVideo.id },
  exampleOutput: { ...exampleVideo, status: "running", progress: 0.4 },
});

export const listVideos = operation({
  summary: "List a script's subtitled videos",
  description: "Returns the videos of a script, the newest first, and whether this server can make them.",
  section: "Transcripts",
  access: "key",
  http: { method: "GET", path: "/videos" },
  isFollowing: true,
  input: z.object({ scriptId: ScriptId }),
  output: z
    .object({
      canMake: z.boolean().meta({ description: "False if no machine of this server can make videos." }),
      advice: z
        .string()
        .optional()
        .meta({ description: "Programs that the operator should install; absent if this server can make videos." }),
      videos: z.array(SubtitledVideo),
    })
    .meta({ id: "SubtitledVideos" }),
  errors: ["notFound"],
  example: { scriptId: exampleScript.id },
  exampleOutput: { canMake: true, videos: [{ ...exampleVideo, status: "running", progress: 0.4 }] },
});

export const deleteVideo = operation({
  summary: "Delete a subtitled video",
  description: "Cancels a video that is being made, or deletes a finished one. The file and the script stay.",
  section: "Transcripts",
  access: "key",
  http: { method: "DELETE", path: "/videos/{id}" },
  input: z.object({ id: VideoId }),
  output: SubtitledVideo,
  errors: ["notFound"],
  example: { id: exampleVideo.id },
  exampleOutput: {
    ...exampleVideo,
    status: "done",
    progress: 1,
    finishedAt: "2026-11-20T10:01:00.000Z",
    bytes: 9_437_184,
    deletion: { at: "2026-11-20T10:05:00.000Z", bytes: 9_437_184 },
  },
});
