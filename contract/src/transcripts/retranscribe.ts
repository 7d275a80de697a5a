import * as z from "zod";
import { FullScript } from "./full-script.ts";
import { operation } from "../operation.ts";
import { transcribeReasons } from "./reel-reasons.ts";
import { Retranscription } from "./transcription.ts";

export const retranscribeScript = operation({
  summary: "Transcribe a script again",
  description: [
    "Transcribes the reel of a script of yours again, for free, where it is `retranscribable`: once for each revision and model of the recognizer. Otherwise the answer is 422.",
    "The new transcript replaces the old one, for everybody who has the reel, only when less speech is missing (`gaps`), the old one was empty, or, where its gaps aren't known, the new one has as many words, give or take 5 %. The script keeps its id and place.",
    "Waits like `/transcribe`; `Prefer: respond-async` works too.",
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
