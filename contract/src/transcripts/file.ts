import * as z from "zod";
import { atMostVisible } from "../at-most-visible.ts";
import { StoredError } from "../error-envelope.ts";
import { Id, operation } from "../operation.ts";
import { videoStyleNames } from "../subtitles/video-styles.ts";
import { fileLimits, videoLimits } from "../values/limits.ts";
import type { ErrorReason } from "../values/service-error.ts";
import { fileReasons } from "./reel-reasons.ts";
import { exampleScript, ScriptId } from "./script.ts";
import { TranslateTo } from "./translation.ts";
import { LanguageHint, scriptId } from "./transcription.ts";
import { DeletionReceipt, VideoStyle } from "./video.ts";

const FileId = Id.meta({ description: "Id of a file, as `POST /files` gave it." });

const Title = atMostVisible(z.string().trim().min(1), fileLimits.longestTitle);

const minutesOfUnit = fileLimits.secondsOfUnit / 60;

/** Reasons why a file fails after its upload began. */
const failedReasons: readonly ErrorReason[] = [...fileReasons, "transcriptionsUsed", "accountSuspended"];

export const OwnFile = z
  .object({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    status: z.enum(["receiving", "transcribing", "done", "failed", "canceled"]),
    bytes: z.int().meta({ description: "Bytes of the file, as its sender stated." }),
    receivedBytes: z.int().min(0),
    mostTranscriptions: z.int().meta({
      description: `Most transcriptions that it uses: one per started ${minutesOfUnit} minutes of audio.`,
    }),
    keepDays: z.int(),
    expiresAt: z.iso.datetime().optional().meta({ description: "End of the upload; absent when all bytes are there." }),
    transcriptionId: z.string().optional(),
    scriptId,
    error: StoredError(failedReasons).optional().meta({ description: "Reason of the failure. You aren't charged." }),
    keptUntil: z.iso.datetime().optional().meta({ description: "Time until which its bytes are kept." }),
    deletion: DeletionReceipt.optional(),
    uploadUrl: z
      .url()
      .optional()
      .meta({ description: "Address of the upload, for whoever may send the file; only when it is created." }),
    command: z.string().optional().meta({ description: "Command that sends the file; only when it is created." }),
  })
  .meta({ id: "OwnFile" });
export type OwnFile = z.infer<typeof OwnFile>;

/** The file in the examples of answers. */
const exampleFile = {
  id: "fil_6Vy0Sp3Ny2ZeXd9M",
  name: "draft.mp4",
  title: "Draft of the French press reel",
  status: "receiving" as const,
  bytes: 48_200_000,
  receivedBytes: 0,
  mostTranscriptions: 4,
  keepDays: 0,
  expiresAt: "2026-11-21T10:00:00.000Z",
};

const FileToSend = z.strictObject({
  name: z.string().trim().min(1).max(255).meta({ description: "Name of the file; its type is read from its content." }),
  bytes: z.int().min(1).meta({ description: "Bytes of the file." }),
  title: Title.optional().meta({ description: "Title of the script; by default the file's name." }),
  languageHint: LanguageHint.optional(),
  seconds: z.number().positive().max(86_400).optional().meta({
    description: "Length of the audio, if you know it: the cost is then exact, and longer files are refused.",
  }),
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/i)
    .optional()
    .meta({ description: "SHA-256 of the file in hex digits: a file that changed on its way is refused." }),
  translate: TranslateTo.optional(),
  keepDays: z
    .int()
    .min(0)
    .max(fileLimits.mostKeepDays)
    .optional()
    .meta({
      description: `Days for which the file is kept after it was transcribed, to play it: by default 0, or ${videoLimits.keepDays} with \`videoStyle\`.`,
    }),
  videoStyle: VideoStyle.optional().meta({
    description: "Makes a subtitled video in this style when the words are there, as `POST /videos` does.",
  }),
});

export const createFile = operation({
  summary: "Send a file of your own",
  description: [
    "Turns a video or a recording that isn't public into a script that only your account has. Everything is checked before the first byte; the answer has the address of the upload, which speaks tus 1.0 (`HEAD`, `PATCH`, `DELETE`; `GET` returns the file) and needs no key.",
    `A file uses one transcription per started ${minutesOfUnit} minutes, and none if nothing is said or the account sent the same bytes before. Its bytes are deleted when the words are there, or after \`keepDays\`.`,
    "`translate` also adds an English translation, for free; the bytes are kept until it is there.",
  ].join("\n\n"),
  section: "Transcripts",
  access: "key",
  http: { method: "POST", path: "/files", idempotent: true },
  tools: [
    {
      name: "upload_file",
      title: "Upload a file",
      description:
        "Gives an address for a video or audio file of the user's own, which becomes a private script (needs an API key).\nUse this tool when you need to:\n- transcribe a file that isn't a public reel\nRun the returned curl command, and GET the address for the state. A broken upload continues at the offset of a HEAD request. One unit per started 15 minutes.",
      input: z.strictObject({
        ...FileToSend.pick({ name: true, bytes: true, title: true, translate: true }).shape,
        videoStyle: z.enum(videoStyleNames).optional().meta({
          description: "Also makes a subtitled video: see update_script.",
        }),
      }),
      destructive: false,
      openWorld: false,
    },
  ],
  bucket: "transcribe",
  input: FileToSend,
  output: OwnFile,
  errors: ["limitReached"],
  reasons: ["videoTooLarge", "videoTooLong", "transcriptionsUsed", "tooManyFiles"],
  example: { name: "draft.mp4", bytes: 48_200_000, title: "Draft of the French press reel" },
  exampleOutput: {
    ...exampleFile,
    uploadUrl: "https://reelscript.example/uploads/8kQ2wZ",
    command:
      "curl -X PATCH -H 'Tus-Resumable: 1.0.0' -H 'Upload-Offset: 0' -H 'Content-Type: application/offset+octet-stream' -T draft.mp4 https://reelscript.example/uploads/8kQ2wZ",
  },
});

export const getFile = operation({
  summary: "Get a file",
  description: "Returns the state of a file: its bytes, its transcription, and the receipt when its bytes are deleted.",
  section: "Transcripts",
  access: "key",
  http: { method: "GET", path: "/files/{id}" },
  isFollowing: true,
  input: z.object({ id: FileId }),
  output: OwnFile,
  errors: ["notFound"],
  example: { id: exampleFile.id },
  exampleOutput: exampleFile,
});

export const deleteFile = operation({
  summary: "Delete a file",
  description: "Ends an upload or its transcription, or deletes a kept file. The script stays.",
  section: "Transcripts",
  access: "key",
  http: { method: "DELETE", path: "/files/{id}" },
  input: z.object({ id: FileId }),
  output: OwnFile,
  errors: ["notFound"],
  example: { id: exampleFile.id },
  exampleOutput: {
    ...exampleFile,
    status: "canceled",
    expiresAt: undefined,
    deletion: { at: "2026-11-20T10:05:00.000Z", bytes: 3_145_728 },
  },
});

export const renameScript = operation({
  summary: "Change a script's title",
  description:
    "Sets the title of a script of your own file, which is its `caption`. Scripts of reels keep their caption.",
  section: "Library",
  access: "key",
  http: { method: "POST", path: "/scripts/{id}/rename" },
  input: z.strictObject({ id: ScriptId, title: Title }),
  output: z.object({ id: z.string(), title: z.string() }).meta({ id: "RenamedScript" }),
  errors: ["notFound"],
  example: { id: exampleScript.id, title: "Final cut" },
  exampleOutput: { id: exampleScript.id, title: "Final cut" },
});
