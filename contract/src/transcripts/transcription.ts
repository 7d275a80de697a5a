import * as z from "zod";
import { LanguageHint } from "./language-hint.ts";
import { languageCodes } from "../values/languages.ts";
import { operation } from "../operation.ts";
import { Receipt } from "./receipt.ts";
import { ErrorEnvelope } from "../error-envelope.ts";
import { reasonNames } from "../values/error-reasons.ts";
import { transcribeReasons } from "./reel-reasons.ts";
import { Limit, Used } from "../account/usage.ts";

export const ReelUrl = z
  .url({ protocol: /^https?$/, error: "must be the full http(s) URL of a public reel" })
  .max(2_048)
  .meta({ description: "Full URL of a public reel.", examples: ["https://www.instagram.com/reel/DLlGZiCOBQ0/"] });

export const TranscribeResult = z
  .object({
    transcript: z.string().meta({ description: "Verbatim transcript text; empty when nothing is said in the reel." }),
    language: z.string().meta({
      description: "Detected or hinted BCP-47 code; `und` when nothing is said.",
      anyOf: [{ enum: [...languageCodes, "und"] }, { pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$" }],
    }),
    cached: z.boolean().meta({ description: "true when served from the shared cache; no quota consumed." }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: "Present and true when the transcript was cut off (very long audio)." }),
    usage: z.object({ used: Used, limit: Limit }).meta({ description: "Quota after the call." }),
  })
  .meta({ id: "TranscribeResult" });
export type TranscribeResult = z.infer<typeof TranscribeResult>;

export const transcribeReel = operation({
  summary: "Transcribe a reel",
  description: [
    "Turns the speech of a public reel into text and adds it to the library.",
    "A reel that anybody transcribed before is served from the shared cache, free. A fresh transcription costs 1 unit when it succeeds and finds speech, and nothing otherwise.",
    "The answer waits for the transcript; when it takes too long, `inProgress` asks to call again in about 30 seconds, when the result comes from the cache. With `Prefer: respond-async` a reel that is not cached is answered at once with 202, and `Location` leads to where its transcription can be followed.",
  ].join("\n\n"),
  tag: "Transcripts",
  access: "key",
  http: { method: "POST", path: "/transcribe", idempotent: true, respondAsync: "getTranscription" },
  tools: [
    {
      name: "transcribe_reel",
      title: "Transcribe a reel",
      description: `Turns the speech of one public reel into text and saves it in the library (needs an API key).\nUse this tool when you need to:\n- read, quote, translate or summarize what is said in a reel\n- add a reel to the searchable library\nLanguages: ${languageCodes.join(", ")}. A reel transcribed before by anybody is free; a fresh one costs 1 unit and usually takes seconds. After [inProgress] call again with the same url in about 30 seconds; it is never charged twice. At most 10 calls per hour; to read a transcript again, use list_my_scripts, which has its own, larger limit.`,
      readOnly: false,
      destructive: false,
      openWorld: true,
    },
  ],
  bucket: "transcribe",
  input: z.strictObject({ url: ReelUrl, languageHint: LanguageHint.optional() }),
  output: TranscribeResult,
  errors: ["limitReached", "notFound", "inProgress", "upstreamError"],
  reasons: [...transcribeReasons, "transcriptionsUsed", "idempotencyKeyReused", "idempotencyKeyInUse"],
  invalidRequestStatuses: [422],
  example: { url: "https://www.instagram.com/reel/DLlGZiCOBQ0/", languageHint: "en" },
});

/** What became of transcribing a script again. */
export const Retranscription = z
  .object({
    replaced: z.boolean().meta({
      description: "Whether the new transcript took the place of the old one, for everybody who has the reel.",
    }),
    reason: z.enum(["empty", "shorterAudio", "notFewerGaps", "fewerWords"]).optional().meta({
      description:
        "Why the old transcript was kept. empty: the new one has no words; shorterAudio: less of the reel was heard; notFewerGaps: no less speech is missing; fewerWords: it has fewer words.",
    }),
  })
  .meta({ id: "Retranscription" });

/** What is recognized so far. */
const InterimText = z
  .object({
    from: z.int().min(0).meta({
      description:
        "How many of the passages that you have stay; drop the others, then append these. 0 at the start, and when the reel is transcribed again from the beginning.",
    }),
    passages: z
      .array(
        z.object({
          language: z.string().meta({ description: "Detected or hinted BCP-47 code." }),
          text: z.string().meta({ description: "What is said in one stretch of the reel." }),
        }),
      )
      .meta({ description: "In the order in which they are said; joined by spaces they are the text so far." }),
  })
  .meta({ id: "InterimText" });

export const Transcription = z
  .object({
    id: z.string().meta({ description: "Stable id." }),
    status: z.enum(["queued", "running", "done", "failed"]),
    progress: z.number().min(0).max(1).meta({ description: "Share of the work that is done, 0 to 1." }),
    reelUrl: z.url().meta({ description: "Canonical URL of the reel." }),
    requestedAt: z.iso.datetime().meta({ description: "When it was requested." }),
    finishedAt: z.iso.datetime().optional().meta({ description: "Present when it is done or failed." }),
    error: ErrorEnvelope.shape.error
      .extend({
        reason: z
          .enum(reasonNames)
          .optional()
          .meta({ description: "Why, where there is more to say than the code does." }),
      })
      .optional()
      .meta({
        description: "Present when it failed: the error that the call would have returned. You aren't charged.",
      }),
    result: TranscribeResult.optional().meta({
      description: "Present when it is done: what the call would have answered, with the quota as it is now.",
    }),
    receipt: Receipt.optional().meta({ description: "Present when it is done." }),
    interim: InterimText.optional().meta({
      description:
        "In event streams only, while it runs: what has been recognized since the last event that had it. It is not a transcript yet; the whole may still fail.",
    }),
    retranscription: Retranscription.optional().meta({
      description:
        "Present when a script was transcribed again and it is done; then `result` is the script's transcript.",
    }),
  })
  .meta({ id: "Transcription" });
export type Transcription = z.infer<typeof Transcription>;

export const getTranscription = operation({
  summary: "Follow a transcription",
  description: [
    "Tells how a transcription goes that this account asked for, and its result when it is done. A reel that was served from the cache has none.",
    "With `Accept: text/event-stream` the answer is a stream of server-sent events: `progress` at each change, and one `finished` at the end, each with the same JSON as data; a `finished` stream ends. While the reel is transcribed, `interim` in `progress` events has the words so far, as they are recognized; when the transcription fails they are void. A stream also ends after 10 minutes and when the service goes down: then connect again.",
  ].join("\n\n"),
  tag: "Transcripts",
  access: "key",
  http: { method: "GET", path: "/transcriptions/{id}", events: true },
  input: z.object({
    id: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: "Id of a transcription, as `Location` and the answer gave it." }),
  }),
  output: Transcription,
  errors: ["notFound"],
  example: { id: "trn_5Ux9Rn2Mx1YdWc8L" },
});
