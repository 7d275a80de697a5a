import * as z from "zod";
import { operation } from "../operation.ts";
import { Receipt } from "./receipt.ts";
import { Script } from "./script.ts";
import { subtitleCues, type SubtitleCue } from "../subtitles/subtitle-cues.ts";
import { subRip, webVtt } from "../subtitles/subtitles.ts";
import { partlyTimedCues } from "../subtitles/partly-timed-cues.ts";

const Segment = z
  .object({
    start: z.number().min(0).meta({ description: "Seconds into the reel." }),
    end: z.number().min(0).meta({ description: "Seconds into the reel." }),
    text: z.string(),
    corrected: z.literal(true).optional(),
  })
  .meta({ id: "Segment", description: "A stretch of speech." });

const Word = z
  .object({
    text: z.string().meta({ description: "The word with its punctuation and the space before it, if there is one." }),
    start: z.number().min(0).meta({ description: "Seconds into the reel." }),
    end: z.number().min(0).meta({ description: "Seconds into the reel." }),
  })
  .meta({ id: "Word" });

const Gap = z
  .object({
    start: z.number().min(0).meta({ description: "Seconds into the reel." }),
    end: z.number().min(0).meta({ description: "Seconds into the reel." }),
    reason: z.enum(["repetition", "wrongScript", "lowConfidence", "noText", "skipped"]).meta({
      description:
        "repetition: the recognizer repeated itself; wrongScript: wrote letters of another language; lowConfidence: was too unsure; noText: wrote nothing; skipped: jumped over it.",
    }),
  })
  .meta({ id: "Gap", description: "A stretch of speech that isn't in the transcript." });

export const FullScript = z
  .object({
    ...Script.omit({ snippet: true, at: true, atUrl: true }).shape,
    transcript: z.string().meta({ description: "The whole text, verbatim; empty when nothing is said in the reel." }),
    truncated: z.literal(true).optional().meta({ description: "true when the audio was cut off (very long audio)." }),
    segments: z.array(Segment).meta({ description: "The transcript again, in order, with its times." }),
    gaps: z.array(Gap).optional().meta({
      description:
        "Where speech is missing from the transcript, in order. Absent in older transcripts, where it isn't known.",
    }),
    words: z.array(Word).optional().meta({
      description:
        "With `words=true` only, where known: every word in order. Concatenated, they are the transcript, but for `corrected` segments.",
    }),
    correctedAt: z.iso.datetime().optional().meta({
      description: "When the caller corrected the transcript; `/transcribe` returns the original.",
    }),
    retranscribable: z.literal(true).optional().meta({
      description: "Present and true when a newer recognizer can transcribe the reel again.",
    }),
    receipt: Receipt,
  })
  .meta({ id: "FullScript" });
export type FullScript = z.infer<typeof FullScript>;

/** A subtitle file of a script with its words. */
export function subtitlesOf(script: FullScript, format: "srt" | "vtt" | "vtt-words"): string {
  if (format === "srt") return subRip(cuesOf(script));
  return webVtt(cuesOf(script), format === "vtt-words" ? { inlineTimes: true } : {});
}

/** Subtitles are made of the times of words. */
const timed = { words: true };

export const getScript = operation({
  summary: "Get a script",
  description:
    "Returns a script of the caller with its whole transcript, times, and how it was made; with `format` as a file.",
  tag: "Library",
  access: "key",
  http: {
    method: "GET",
    path: "/scripts/{id}",
    formats: {
      parameter: "format",
      description: "txt: the bare transcript; srt, vtt, vtt-words: subtitles, as at `/scripts/{id}/subtitles`.",
      forms: {
        txt: { type: "text/plain", write: ({ transcript }: FullScript) => transcript },
        srt: { type: "application/x-subrip", input: timed, write: (script: FullScript) => subtitlesOf(script, "srt") },
        vtt: { type: "text/vtt", input: timed, write: (script: FullScript) => subtitlesOf(script, "vtt") },
        "vtt-words": {
          type: "text/vtt",
          ending: "vtt",
          input: timed,
          write: (script: FullScript) => subtitlesOf(script, "vtt-words"),
        },
      },
      fileName,
    },
  },
  input: z.object({
    id: z.string().min(1).max(128).meta({ description: "A script's id, as the list and searches give it." }),
    words: z.boolean().optional().meta({ description: "true adds the time of every word." }),
  }),
  output: FullScript,
  errors: ["notFound"],
  example: { id: "scr_4Tz8Qm1Lw0XcVb7K" },
});

/** A transcript of unknown times is shown throughout. */
function cuesOf({ segments, words, gaps = [], transcript, receipt }: FullScript): SubtitleCue[] {
  if (words !== undefined && words.length > 0) return partlyTimedCues(segments, words, gaps);
  return subtitleCues(
    segments.length > 0 ? segments : [{ start: 0, end: receipt.audioSeconds, text: transcript }],
    gaps,
  );
}

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
