import * as z from "zod";
import { fetchReasons } from "./transcripts/reel-reasons.ts";
import { operation } from "./operation.ts";
import { exampleScript } from "./transcripts/script.ts";
import { ReelUrl, scriptId } from "./transcripts/transcription.ts";

export const Reel = z
  .object({
    platform: z.string(),
    mediaId: z.string().meta({ description: "The platform's id of the reel." }),
    shortcode: z.string(),
    url: z.url().meta({ description: "Canonical URL of the reel." }),
    caption: z.string().nullable().meta({ description: "Caption; null if there is none or it isn't available." }),
    author: z.object({
      handle: z.string().nullable().meta({ description: "Handle of the account, without @." }),
      displayName: z.string().nullable(),
      verified: z.boolean().nullable(),
    }),
    thumbnail: z.object({ url: z.url(), width: z.int().nullable(), height: z.int().nullable() }).nullable().meta({
      description: "Our copy of the thumbnail, in WebP, at most 640 pixels wide and high.",
    }),
    dimensions: z
      .object({ width: z.int(), height: z.int(), aspectRatio: z.string() })
      .nullable()
      .meta({ description: "Width and height of the video in pixels." }),
    durationSeconds: z.number().nullable(),
    hasAudio: z.boolean().nullable(),
    views: z.int().min(0).nullable().meta({ description: "View count as the platform displays it." }),
    likes: z.int().min(0).nullable(),
    comments: z.int().min(0).nullable(),
    postedAt: z.iso.datetime().nullable(),
    resolvedAt: z.iso.datetime().meta({ description: "Time at which these values were read." }),
  })
  .meta({ id: "Reel" });
export type Reel = z.infer<typeof Reel>;

/** The state of the reel's transcript here. */
const ReelTranscript = z
  .object({
    cached: z.boolean().meta({ description: "Whether the reel's transcript is in the shared cache." }),
    cost: z.literal([0, 1]).meta({
      description: "Number of transcriptions that it would use now.",
    }),
    audioCut: z.literal(true).optional().meta({
      description: "True if the reel is too long to be transcribed whole.",
    }),
    scriptId: scriptId.meta({ description: "Id of the reel's script in your library." }),
  })
  .meta({ id: "ReelTranscript" });

export const resolveReel = operation({
  summary: "Resolve a reel's details",
  description:
    "Returns a reel's public details, and whether transcribing it is free. A value is null if the platform doesn't show it.",
  section: "Reels",
  access: "key",
  http: { method: "GET", path: "/reels/resolve" },
  tools: [
    {
      name: "get_reel_details",
      title: "Get reel details",
      description:
        "Resolves a reel URL to caption, author, thumbnail, dimensions and public counts, without transcribing it, and says what transcribing would cost: nothing when the transcript is cached, else 1 unit (needs an API key).\nUse this tool when you need to:\n- check who posted a reel, when, and how it performs\n- make sure that a URL is a public reel before transcribing it\nCosts no quota.",
      openWorld: true,
    },
  ],
  input: z.object({ url: ReelUrl }),
  output: z.object({ ...Reel.shape, transcript: ReelTranscript }).meta({ id: "ResolvedReel" }),
  errors: ["notFound", "upstreamError"],
  reasons: [...fetchReasons, "notAVideo"],
  example: { url: exampleScript.reelUrl },
  exampleOutput: {
    platform: exampleScript.platform,
    mediaId: "3659874125478963254",
    shortcode: "DLlGZiCOBQ0",
    url: exampleScript.reelUrl,
    caption: exampleScript.caption,
    author: { handle: exampleScript.account, displayName: "Ana Souza", verified: false },
    thumbnail: { url: "https://reelscript.example/thumbnails/3f9a52", width: 360, height: 640 },
    dimensions: { width: 1080, height: 1920, aspectRatio: "9:16" },
    durationSeconds: 4.5,
    hasAudio: true,
    views: exampleScript.views,
    likes: exampleScript.likes,
    comments: exampleScript.comments,
    postedAt: exampleScript.postedAt,
    resolvedAt: exampleScript.transcribedAt,
    transcript: { cached: true, cost: 0 },
  },
});
