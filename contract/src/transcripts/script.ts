import * as z from "zod";
import { Id } from "../operation.ts";
import { TranslationText } from "./translation-text.ts";
import { recognitionQualities, type RecognitionQuality } from "../values/languages.ts";

export const ScriptId = Id.meta({ description: "A script's id, as the list and searches give it." });

/** Characters of a transcript in a list. */
export const listedTranscriptLength = 10_000;

/** Plain text, not markup, so strangers' words need neither escaping nor trust. */
const SnippetPart = z
  .object({ text: z.string(), hit: z.boolean().meta({ description: "Whether this part matches the query." }) })
  .meta({ id: "SnippetPart" });

/** Characters of a quoted sentence; a longer one ends in an ellipsis. */
export const longestSentence = 240;

const Analysis = z
  .object({
    hook: z.string().optional().meta({ description: "First sentence of the transcript." }),
    callToAction: z.string().optional().meta({ description: "Last sentence that asks for something." }),
    wordsPerMinute: z.int().optional().meta({ description: "Words per minute while somebody speaks." }),
    timesTypicalViews: z
      .number()
      .optional()
      .meta({ description: "Views divided by the median views in the account's newest report." }),
  })
  .meta({ id: "Analysis" });

/** Number of a script's hits in a list. */
export const mostHits = 50;

const Hit = z
  .object({ at: z.number().min(0).meta({ description: "Position in the audio, in seconds." }), text: z.string() })
  .meta({ id: "Hit" });

export const rough = z
  .literal(true)
  .optional()
  .meta({ description: "True for a rough draft, because the model gets many or most words of the language wrong." });

export const Script = z
  .object({
    id: z.string().meta({ description: "Id of the script, which never changes." }),
    reelUrl: z.url().meta({ description: "URL of the transcribed reel." }),
    platform: z.string().optional(),
    account: z.string().optional().meta({ description: "Handle of the reel's account, without @." }),
    caption: z.string().optional().meta({ description: "Caption at transcription time." }),
    hook: z.string().optional().meta({
      description: "Beginning of the speech: its first sentence, up to the first pause or the twelfth word.",
    }),
    transcript: z.string().meta({ description: "Transcript, which may be truncated for very long reels." }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: "True if `transcript` is truncated in this response or the audio was cut off." }),
    audioCut: z.literal(true).optional().meta({
      description: "True if the audio was longer than the maximum, so that this is the transcript of its beginning.",
    }),
    language: z.string().optional().meta({ description: "BCP-47 code of the language." }),
    rough,
    views: z.int().min(0).optional().meta({ description: "View count at collection time." }),
    likes: z.int().min(0).optional().meta({ description: "Like count at collection time." }),
    comments: z.int().min(0).optional().meta({ description: "Comment count at collection time." }),
    engagementRate: z
      .number()
      .min(0)
      .optional()
      .meta({ description: "Engagement rate in percent, (likes + comments) / views * 100, at collection time." }),
    postedAt: z.iso.datetime().optional().meta({ description: "Time at which the reel was posted." }),
    durationSeconds: z.number().min(0).optional().meta({ description: "Seconds of audio transcribed." }),
    transcribedAt: z.iso.datetime().optional().meta({ description: "Time at which the transcript was created." }),
    tags: z.array(z.string()).optional().meta({ description: "Your tags of the script, in alphabetical order." }),
    deletedAt: z.iso.datetime().optional().meta({ description: "Time of the deletion; only with `deleted=true`." }),
    restorableUntil: z.iso
      .datetime()
      .optional()
      .meta({ description: "Time at which the script is erased; only with `deleted=true`." }),
    translation: TranslationText.optional().meta({
      description: "English translation; only with `ids` or `url`, where there is one.",
    }),
    analysis: Analysis.optional(),
    snippet: z.array(SnippetPart).optional().meta({
      description: "Piece of the transcript, or else of the caption, around the hits; only with a query.",
    }),
    at: z.number().min(0).optional().meta({
      description:
        "Second at which the first hit of the snippet is said, or its sentence where word times aren't known; absent if the hit is in the caption.",
    }),
    atUrl: z.url().optional().meta({ description: "Address of the script in the dashboard at that second." }),
    hits: z
      .array(Hit)
      .max(mostHits)
      .optional()
      .meta({ description: `Hits in the transcript, each with its own second; at most ${mostHits}.` }),
  })
  .meta({ id: "Script" });
export type Script = z.infer<typeof Script>;

/** A script in the examples of answers. */
export const exampleScript = {
  id: "scr_4Tz8Qm1Lw0XcVb7K",
  reelUrl: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
  platform: "instagram",
  account: "ana.coffee",
  caption: "Three French press mistakes",
  hook: "You don't need a better grinder.",
  transcript: "You don't need a better grinder. You need to wait four minutes.",
  language: "en",
  views: 128_490,
  likes: 7_911,
  comments: 310,
  engagementRate: 6.4,
  postedAt: "2026-11-01T08:30:00.000Z",
  durationSeconds: 4.5,
  transcribedAt: "2026-11-20T10:00:00.000Z",
};

/** Percentage of (likes + comments) in views; `null` if a part is unknown or views are 0. */
export function engagementRate(counts: {
  readonly views: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
}): number | null {
  const { views, likes, comments } = counts;
  return views === null || views === 0 || likes === null || comments === null
    ? null
    : ((likes + comments) * 100) / views;
}

/** Describes how a transcript was made. */
export const Receipt = z
  .object({
    model: z.string(),
    quality: z.enum(Object.keys(recognitionQualities) as [RecognitionQuality, ...RecognitionQuality[]]).optional(),
    revision: z.int().min(0).meta({ description: "Revision of the recognizer." }),
    languageProbability: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: "Probability of the language according to the model; null if unknown." }),
    speechSeconds: z.number().min(0).meta({ description: "Seconds of speech." }),
    audioSeconds: z.number().min(0).meta({ description: "Seconds of audio transcribed." }),
    cut: z.boolean().meta({ description: "True if the audio was longer than the maximum." }),
  })
  .meta({ id: "Receipt", description: "Record of how the transcript was created." });
export type Receipt = z.infer<typeof Receipt>;

/** How the script of the examples was made. */
export const exampleReceipt = {
  model: "whisper-base",
  revision: 3,
  languageProbability: 0.98,
  speechSeconds: 3.8,
  audioSeconds: 4.5,
  cut: false,
};
