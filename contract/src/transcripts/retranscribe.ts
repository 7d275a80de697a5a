import * as z from "zod";
import { FullScript } from "./full-script.ts";
import { operation } from "../operation.ts";
import { transcribeReasons } from "./reel-reasons.ts";
import { Retranscription } from "./transcription.ts";

export const retranscribeScript = operation({
  summary: "Transcribe a script again",
  description: [
    "Transcribes the reel of one of the caller's scripts again, for free, where the script is `retranscribable`; otherwise the answer is 422.",
    "The new transcript replaces the old one, for everybody, only when nothing is lost: less speech is missing (`gaps`), or, where that isn't known, it has as many words, give or take 5 %; or the old one was empty. The script keeps its id, place and corrections.",
    "The answer waits like that of `/transcribe`; `Prefer: respond-async` works here too.",
  ].join("\n\n"),
  tag: "Library",
  access: "key",
  http: { method: "POST", path: "/scripts/{id}/retranscribe", respondAsync: "getTranscription" },
  bucket: "transcribe",
  input: z.strictObject({
    id: z.string().min(1).max(128).meta({ description: "A script's id, as the list and searches give it." }),
  }),
  output: z
    .object({ ...Retranscription.shape, script: FullScript.meta({ description: "The script as it is now." }) })
    .meta({ id: "RetranscribeResult" }),
  errors: ["notFound", "inProgress", "upstreamError"],
  reasons: [...transcribeReasons, "alreadyHeard"],
  invalidRequestStatuses: [422],
  example: { id: "scr_4Tz8Qm1Lw0XcVb7K" },
});
