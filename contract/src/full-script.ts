import * as z from "zod";
import { operation } from "./operation.ts";
import { Receipt } from "./receipt.ts";
import { Script } from "./script.ts";
import type { Speech } from "./subtitle-cues.ts";
import { subRip, webVtt } from "./subtitles.ts";

const Segment = z
  .object({
    start: z.number().min(0).meta({ description: "Seconds from the beginning of the reel." }),
    end: z.number().min(0).meta({ description: "Seconds from the beginning of the reel." }),
    text: z.string(),
  })
  .meta({ id: "Segment", description: "A stretch of speech." });

export const FullScript = z
  .object({
    ...Script.omit({ snippet: true, at: true }).shape,
    transcript: z.string().meta({ description: "The whole text, verbatim; empty when nothing is said in the reel." }),
    truncated: z.literal(true).optional().meta({ description: "true when the audio was cut off (very long audio)." }),
    segments: z.array(Segment).meta({ description: "The transcript again, in order, with its times." }),
    receipt: Receipt,
  })
  .meta({ id: "FullScript" });
export type FullScript = z.infer<typeof FullScript>;

export const getScript = operation({
  summary: "Get a script",
  description:
    "Returns one of the caller's own scripts with its whole transcript, the times at which things are said, and how the transcript was made. `format` answers it as a file instead: plain text, or subtitles.",
  tag: "Library",
  access: "key",
  http: {
    method: "GET",
    path: "/scripts/{id}",
    formats: {
      parameter: "format",
      description: "txt: the bare transcript; srt: SubRip subtitles; vtt: WebVTT subtitles.",
      forms: {
        txt: { type: "text/plain", write: ({ transcript }: FullScript) => transcript },
        srt: { type: "application/x-subrip", write: (script: FullScript) => subRip(speechOf(script)) },
        vtt: { type: "text/vtt", write: (script: FullScript) => webVtt(speechOf(script)) },
      },
      fileName,
    },
  },
  input: z.object({
    id: z.string().min(1).max(128).meta({ description: "A script's id, as the list and searches give it." }),
  }),
  output: FullScript,
  errors: ["notFound"],
  example: { id: "scr_4Tz8Qm1Lw0XcVb7K" },
});

/** A transcript of unknown times is shown throughout. */
const speechOf = ({ segments, transcript, receipt }: FullScript): readonly Speech[] =>
  segments.length > 0 ? segments : [{ start: 0, end: receipt.audioSeconds, text: transcript }];

/** Account, reel and language, so that players show the language: `cook.daily-DLlGZiCOBQ0.en`. */
function fileName({ account, reelUrl, language }: FullScript): string {
  const reel = reelUrl
    .replace(/[?#].*$/s, "")
    .replace(/\/+$/, "")
    .replace(/^.*\//s, "");
  const name = [account, reel].filter((part) => part !== undefined && part !== "").join("-");
  const known = language === undefined || language === "und" ? "" : `.${safe(language)}`;
  return `${safe(name).slice(0, 120)}${known}`;
}

const safe = (text: string): string => text.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^\.+/, "_");
