import * as z from "zod";
import { LanguageHint } from "./language-hint.ts";
import { languageCodes } from "../values/languages.ts";
import { operation } from "../operation.ts";
import { Receipt } from "./receipt.ts";
import { ErrorEnvelope } from "../error-envelope.ts";
import { type ErrorReason, reasonNames } from "../values/error-reasons.ts";
import { transcribeReasons } from "./reel-reasons.ts";
import { Quota } from "../account/usage.ts";

export const ReelUrl = z
  .url({ protocol: /^https?$/, error: "must be the full http(s) URL of a public reel" })
  .max(2_048)
  .meta({ description: "Full URL of a public reel.", examples: ["https://www.instagram.com/reel/DLlGZiCOBQ0/"] });

export const scriptId = z.string().optional().meta({ description: "Its script in your library." });

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
    usage: Quota.meta({ description: "Quota after the call." }),
    scriptId,
    transcriptionId: z.string().optional().meta({ description: "The transcription that this call started." }),
  })
  .meta({ id: "TranscribeResult" });
export type TranscribeResult = z.infer<typeof TranscribeResult>;

export const transcribeReel = operation({
  summary: "Transcribe a reel",
  description: [
    "Turns the speech of a public reel into text and adds it to the library.",
    "A reel that anybody transcribed before comes from the shared cache, free. A fresh one costs 1 unit when it finds speech, else nothing.",
    "The answer waits for the transcript. After too long it is `inProgress`: call again in about 30 seconds to get it from the cache. With `Prefer: respond-async` a reel that isn't cached gets 202 and a `Location` at which to follow it.",
  ].join("\n\n"),
  tag: "Transcripts",
  access: "key",
  http: { method: "POST", path: "/transcribe", idempotent: true, respondAsync: "getTranscription" },
  tools: [
    {
      name: "transcribe_reel",
      title: "Transcribe a reel",
      description: `Turns the speech of one public reel into text and saves it in the library (needs an API key).\nUse this tool when you need to:\n- read, quote, translate or summarize what is said in a reel\n- add a reel to the searchable library\nLanguages: ${languageCodes.join(", ")}. A reel transcribed before by anybody is free; a fresh one costs 1 unit and usually takes seconds. After [inProgress] call again with the same url, which waits on: it is never charged twice, and the call doesn't count. At most 10 calls per hour; to read a transcript again, use list_my_scripts, which has its own, larger limit.`,
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
      description: "Whether the new transcript replaced the old one.",
    }),
    reason: z.enum(["empty", "shorterAudio", "notFewerGaps", "fewerWords"]).optional().meta({
      description:
        "Why not. empty: the new one has no words; shorterAudio: less of the reel was heard; notFewerGaps: no less speech is missing; fewerWords: it has fewer words.",
    }),
  })
  .meta({ id: "Retranscription" });

/** All passages, joined by spaces, are the text so far. */
const InterimText = z.object({
  from: z.int().meta({ description: "How many earlier passages stay." }),
  passages: z.array(z.object({ language: z.string(), text: z.string() })),
});

/** Those of all reasons for which a transcription fails; requests alone have the others. */
const failedReasons: readonly ErrorReason[] = [
  ...transcribeReasons,
  "transcriptionsUsed",
  "alreadyHeard",
  "accountSuspended",
  "accountDeleted",
  "shuttingDown",
  "databaseUnavailable",
];

export const Transcription = z
  .object({
    id: z.string().meta({ description: "Stable id." }),
    status: z.enum(["queued", "running", "done", "failed"]),
    progress: z.number().min(0).max(1).meta({ description: "Share of the work that is done, 0 to 1." }),
    waitingFor: z.literal("platform").optional().meta({
      description: "Present while it waits for its turn at the platform. Waiting is free.",
    }),
    reelUrl: z.url().meta({ description: "Canonical URL of the reel." }),
    requestedAt: z.iso.datetime().meta({ description: "When it was requested." }),
    finishedAt: z.iso.datetime().optional().meta({ description: "Present when it is done or failed." }),
    error: ErrorEnvelope.shape.error
      .extend({
        reason: z
          .enum(reasonNames)
          .optional()
          .meta({ description: "Why, where there is more to say than the code does.", enum: [...failedReasons] }),
      })
      .optional()
      .meta({
        description: "Present when it failed. You aren't charged.",
      }),
    result: TranscribeResult.optional().meta({
      description: "Present when it is done, with the quota as it is now.",
    }),
    receipt: Receipt.optional().meta({ description: "Present when it is done." }),
    interim: InterimText.optional().meta({
      description: "Only in event streams: what was recognized since the last event that had it.",
    }),
    retranscription: Retranscription.optional().meta({
      description: "Present when a script was transcribed again; then `result` is its transcript.",
    }),
  })
  .meta({ id: "Transcription" });
export type Transcription = z.infer<typeof Transcription>;

export const getTranscription = operation({
  summary: "Follow a transcription",
  description: [
    "Shows how a transcription of this account is going, and its result when it is done. A reel from the cache has none.",
    "`Accept: text/event-stream` gets server-sent events with the same JSON: `progress` at each change, with new words in `interim` (void when it fails), and one `finished` at the end. The stream also ends after 10 minutes and when the service goes down: then connect again.",
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
