import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { languageCodes, supportedLanguage } from "../values/languages.ts";
import { mostBatchLinks, reelMediaTypes } from "../values/limits.ts";
import { longestAddress, readAddress, wholeAddress } from "../values/links/read-address.ts";
import { operation } from "../operation.ts";
import { StoredError } from "../error-envelope.ts";
import type { ErrorReason } from "../values/service-error.ts";
import { Quota } from "../account/usage.ts";
import { exampleReceipt, exampleScript, Receipt, rough, ScriptId } from "./script.ts";
import { transcribeReasons } from "./reel-reasons.ts";
import { FullScript } from "./full-script.ts";
import { TranslateTo } from "./translation.ts";
import { TranslationText } from "./translation-text.ts";

const codeShape = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;

const anyCase = (code: string): string => code.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
/** `LanguageHint` as a pattern, for documentation. */
const exactly = `^(${languageCodes.map(anyCase).join("|")})(-[A-Za-z0-9]{1,8})*$`;

export const LanguageHint = z
  .string()
  .max(35)
  .refine((code) => codeShape.test(code) && supportedLanguage(code) !== undefined, {
    error: `must be one of ${languageCodes.join(", ")}, with or without a region such as ta-IN`,
  })
  .meta({
    description: "BCP-47 code of the spoken language. Improves accuracy for non-English audio. Omit to auto-detect.",
    pattern: exactly,
    examples: ["en", "ta-IN"],
  });

export const ReelUrl = z
  .string()
  .overwrite(wholeAddress)
  .max(longestAddress)
  .refine((text) => readAddress(text) !== undefined, { error: "must be the http(s) URL of a public reel" })
  .meta({
    format: "uri",
    description: "Full URL of a public reel.",
    examples: ["https://www.instagram.com/reel/DLlGZiCOBQ0/"],
  });

export const scriptId = z.string().optional().meta({ description: "Id of the reel's script in your library." });

export const TranscribeResult = z
  .object({
    transcript: z.string().meta({ description: "Verbatim transcript text; empty when nothing is said in the reel." }),
    language: z.string().meta({ description: "Detected or hinted BCP-47 code; `und` when nothing is said." }),
    cached: z.boolean().meta({ description: "True if the transcript comes from the shared cache and used no quota." }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: "True if the transcript was cut off because the audio is very long; otherwise absent." }),
    rough,
    usage: Quota.meta({ description: "Quota after the call." }),
    scriptId,
    transcriptionId: z.string().optional().meta({ description: "Id of the transcription that this call started." }),
    translation: TranslationText.optional().meta({
      description:
        "English translation; only if `translate` asks for it. While it is in progress, `/scripts/{id}/translate` waits for it.",
    }),
  })
  .meta({ id: "TranscribeResult" });
export type TranscribeResult = z.infer<typeof TranscribeResult>;

export const transcribeReel = operation({
  summary: "Transcribe a reel",
  description: [
    "Turns the speech of a public reel into text and adds it to the library.",
    "A reel that anybody transcribed before is free. A new reel with speech uses 1 transcription.",
    "`translate` also adds an English translation to the script, for free; the transcript never waits for it.",
    "Waits for the transcript. If it takes longer, you get `inProgress`: call again in about 30 seconds. With `Prefer: respond-async` a reel that isn't cached gets 202 and a `Location` to follow.",
  ].join("\n\n"),
  section: "Transcripts",
  access: "key",
  http: { method: "POST", path: "/transcribe", idempotent: true, respondAsync: "getTranscription" },
  tools: [
    {
      name: "transcribe_reel",
      title: "Transcribe a reel",
      description: `Turns the speech of public reels into text and saves it in the library (needs an API key).\nUse this tool when you need to:\n- read, quote, translate or summarize what is said in a reel\n- add reels to the searchable library: several at once with urls\nLanguage hints: ${languageCodes.join(", ")}. A reel transcribed before by anybody is free; a fresh one costs 1 unit, however long. After [inProgress] call again with the same url, which keeps waiting: it is never charged twice, and the call doesn't count. Reels of urls beyond the hour's limit wait and continue by themselves. To read one again, use list_my_scripts.`,
      input: z
        .strictObject({
          url: ReelUrl.optional(),
          urls: z
            .array(z.string().min(1).max(longestAddress))
            .min(1)
            .max(mostBatchLinks)
            .optional()
            .meta({ description: `Up to ${mostBatchLinks} reels in place of url; returns each state.` }),
          languageHint: LanguageHint.optional(),
          translate: TranslateTo.optional(),
        })
        .refine(({ urls, translate }) => urls === undefined || translate === undefined, {
          path: ["translate"],
          error: "needs `url`",
        })
        .superRefine(({ url, urls }, context) => {
          if ((url === undefined) === (urls === undefined))
            context.addIssue({ code: "custom", path: ["url"], message: "give url or urls, and not both" });
        }),
      destructive: false,
      openWorld: true,
    },
  ],
  bucket: "transcribe",
  input: z.strictObject({ url: ReelUrl, languageHint: LanguageHint.optional(), translate: TranslateTo.optional() }),
  output: TranscribeResult,
  errors: ["limitReached", "notFound", "inProgress", "upstreamError"],
  reasons: [...transcribeReasons, "transcriptionsUsed"],
  example: { url: exampleScript.reelUrl, languageHint: "en" },
  exampleOutput: {
    transcript: exampleScript.transcript,
    language: "en",
    cached: false,
    usage: { used: 12, limit: 250 },
  },
});

/** The outcome of transcribing a script again. */
const Retranscription = z
  .object({
    replaced: z.boolean().meta({
      description: "Whether the new transcript replaced the old one.",
    }),
    reason: z.enum(["empty", "shorterAudio", "notFewerGaps", "fewerWords"]).optional().meta({
      description:
        "Reason why the new transcript was not used: it has no words (`empty`), has less audio (`shorterAudio`), misses as much speech (`notFewerGaps`) or has fewer words (`fewerWords`).",
    }),
  })
  .meta({ id: "Retranscription" });

const Passage = z.object({ language: z.string(), text: z.string() }).meta({ id: "Passage" });

/** All passages, joined by spaces, are the text so far. */
const InterimText = z.object({
  from: z.int().meta({ description: "Number of earlier passages that stay." }),
  passages: z.array(Passage),
  draft: Passage.optional().meta({
    description: "Unchecked text that follows the passages; it replaces the last draft.",
  }),
});

/** Reasons why a transcription fails; the others belong to requests. */
const failedReasons: readonly ErrorReason[] = [
  ...transcribeReasons,
  "transcriptionsUsed",
  "alreadyHeard",
  "keyUnknown",
  "accountSuspended",
  "accountDeleted",
  "shuttingDown",
  "databaseUnavailable",
];

export const Transcription = z
  .object({
    id: z.string().meta({ description: "Id of the transcription, which never changes." }),
    status: z.enum(["queued", "running", "done", "failed"]),
    progress: z.number().min(0).max(1).meta({ description: "Share of the work that is done, 0 to 1." }),
    waitingFor: z.enum(["platform", "recognizer", "storage"]).optional().meta({
      description:
        "Reason for waiting: its turn at the platform, or the return of the platform, of speech recognition, or of the storage with the media that you sent; otherwise absent. Waiting is free.",
    }),
    secondsLeft: z.int().min(0).optional().meta({
      description:
        "Estimate of the remaining seconds, by the latest transcriptions; absent while it waits and at the end.",
    }),
    reelUrl: z.url().meta({ description: "Canonical URL of the reel." }),
    requestedAt: z.iso.datetime().meta({ description: "Time of the request." }),
    finishedAt: z.iso
      .datetime()
      .optional()
      .meta({ description: "Time at which the transcription was done or failed; otherwise absent." }),
    error: StoredError(failedReasons).optional().meta({
      description: "Reason of the failure; absent unless the transcription failed. You aren't charged.",
    }),
    scriptId,
    result: TranscribeResult.optional().meta({
      description: "Transcript with your current quota; absent until the transcription is done.",
    }),
    receipt: Receipt.optional().meta({ description: "Receipt; absent until the transcription is done." }),
    interim: InterimText.optional().meta({
      description: "Text recognized since the last event that had this field; event streams only.",
    }),
    translates: z.literal(true).optional().meta({
      description: "True if it only writes the translation of a script, whose transcript is in `result`.",
    }),
    retranscription: Retranscription.optional().meta({
      description: "Outcome of transcribing a script again, whose transcript is in `result`; otherwise absent.",
    }),
  })
  .meta({ id: "Transcription" });
export type Transcription = z.infer<typeof Transcription>;

/** Ends the description of operations that follow work. */
export const followingIsFree =
  "Following is free: it doesn't count against your hourly requests. `Retry-After` says when to ask again.";

export const getTranscription = operation({
  summary: "Follow a transcription",
  description: [
    "Returns a transcription's progress, and its result when it's done. Cached reels have no transcription.",
    followingIsFree,
    "`Accept: text/event-stream` gets server-sent events with the same JSON: `progress` at each change, with new words in `interim` (void when it fails), and one `finished` at the end. The stream also ends after 10 minutes: connect again. 204 ends an EventSource that asks once more after `finished`. An account has at most 10 streams at a time.",
  ].join("\n\n"),
  section: "Transcripts",
  access: "key",
  http: { method: "GET", path: "/transcriptions/{id}", events: true },
  isFollowing: true,
  input: z.object({
    id: z.string().min(1).max(100).meta({ description: "Id of a transcription, from the response that started it." }),
  }),
  output: Transcription,
  errors: ["notFound"],
  reasons: ["tooManyStreams"],
  example: { id: "trn_5Ux9Rn2Mx1YdWc8L" },
  exampleOutput: {
    id: "trn_5Ux9Rn2Mx1YdWc8L",
    status: "running",
    progress: 0.4,
    secondsLeft: 6,
    reelUrl: exampleScript.reelUrl,
    requestedAt: "2026-11-20T09:59:50.000Z",
  },
});

const days = 30;

export const listTranscriptions = operation({
  summary: "List transcriptions",
  description: `Lists the transcriptions of the last ${days} days, newest first, without results.`,
  section: "Transcripts",
  access: "key",
  http: { method: "GET", path: "/transcriptions" },
  input: z.object({
    status: Transcription.shape.status.optional(),
    limit: z.int().min(1).max(50).default(20),
    cursor: Cursor.optional(),
  }),
  output: z
    .object({ transcriptions: z.array(Transcription), nextCursor: NextCursor })
    .meta({ id: "TranscriptionList" }),
  example: { status: "done" },
  exampleOutput: { transcriptions: [] },
});

/** How old a listed transcription may be. */
export const listedMilliseconds = days * 86_400_000;

export const sendReelMedia = operation({
  summary: "Send a reel's media",
  description: [
    "Transcribes a reel's media sent from your browser, for when the platform refuses to give it to us. The body is the media itself.",
    "We can't verify what you send, so only your library gets the transcript. It uses 1 transcription if it finds speech. Once we can fetch the reel ourselves, that transcript replaces it for free.",
    "Answers once the media have arrived, with the transcription to follow.",
  ].join("\n\n"),
  section: "Transcripts",
  access: "session",
  http: {
    method: "POST",
    path: "/reel-media",
    query: ["url", "languageHint"],
    mediaTypes: reelMediaTypes,
  },
  bucket: "transcribe",
  input: z.object({ url: ReelUrl, languageHint: LanguageHint.optional() }),
  output: z.object({
    cached: z.boolean().meta({
      description: "Whether the reel was transcribed before; it is then in the library, and nothing is charged.",
    }),
    transcription: Transcription.optional().meta({
      description: "Transcription of the media; absent if they weren't needed.",
    }),
  }),
  errors: ["limitReached", "notFound", "inProgress"],
  example: { url: exampleScript.reelUrl },
});

export const retranscribeScript = operation({
  summary: "Transcribe a script again",
  description: [
    "Transcribes the reel of a `retranscribable` script again, for free: once for each revision and model of the recognizer. Others get 422.",
    "The new transcript replaces the old one, for everybody who has the reel, when less speech is missing (`gaps`) and it has no fewer words (within 5%), or the old one was empty. The script keeps its id.",
    "Waits like `/transcribe`.",
  ].join("\n\n"),
  section: "Library",
  access: "key",
  http: { method: "POST", path: "/scripts/{id}/retranscribe", respondAsync: "getTranscription" },
  bucket: "transcribe",
  input: z.strictObject({ id: ScriptId }),
  output: z
    .object({ ...Retranscription.shape, script: FullScript.meta({ description: "The script as it is now." }) })
    .meta({ id: "RetranscribeResult" }),
  errors: ["notFound", "inProgress", "upstreamError"],
  reasons: [...transcribeReasons, "alreadyHeard"],
  example: { id: exampleScript.id },
  exampleOutput: {
    replaced: true,
    script: {
      id: exampleScript.id,
      reelUrl: exampleScript.reelUrl,
      transcript: "You need to wait four minutes.",
      segments: [{ start: 2.1, end: 4, text: "You need to wait four minutes." }],
      gaps: [],
      receipt: exampleReceipt,
    },
  },
});
