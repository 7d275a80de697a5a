import * as z from "zod";
import { operation } from "../operation.ts";
import { LanguageHint } from "./language-hint.ts";
import { ReelUrl, Transcription } from "./transcription.ts";

export const sendReelMedia = operation({
  summary: "Send a reel's media",
  description: [
    "Takes the media of a reel from the person's browser, for when the platform turns the service away, and transcribes it. The body is the media itself.",
    "Nobody can vouch for what is sent, so the transcript is in the library of this account only. It costs 1 unit when it succeeds and finds speech. Once the service could fetch the reel itself, that transcript takes its place, free.",
    "The answer comes when the media have arrived, with the transcription to follow.",
  ].join("\n\n"),
  tag: "Transcripts",
  access: "session",
  http: {
    method: "POST",
    path: "/reel-media",
    query: ["url", "languageHint"],
    mediaTypes: [
      "video/mp4",
      "video/webm",
      "audio/mp4",
      "audio/webm",
      "audio/mpeg",
      "audio/ogg",
      "application/octet-stream",
    ],
  },
  bucket: "transcribe",
  input: z.object({ url: ReelUrl, languageHint: LanguageHint.optional() }),
  output: z.object({
    cached: z.boolean().meta({
      description: "Whether it was transcribed before: then it is in the library now, and nothing is charged.",
    }),
    transcription: Transcription.optional().meta({ description: "Present when the media were taken." }),
  }),
  errors: ["limitReached", "notFound", "inProgress"],
  example: { url: "https://www.instagram.com/reel/DLlGZiCOBQ0/" },
});
