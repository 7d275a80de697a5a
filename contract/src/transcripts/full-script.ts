import * as z from "zod";
import { operation } from "../operation.ts";
import { Receipt } from "./receipt.ts";
import { Script } from "./script.ts";
import { subtitleCues, type SubtitleCue } from "../subtitles/subtitle-cues.ts";
import { subRip, webVtt } from "../subtitles/subtitles.ts";
import { partlyTimedCues } from "../subtitles/partly-timed-cues.ts";

const Segment = z
  .object({
    start: z.number().min(0).meta({ description: "Seconds from the beginning of the reel." }),
    end: z.number().min(0).meta({ description: "Seconds from the beginning of the reel." }),
    text: z.string(),
    corrected: z.literal(true).optional().meta({ description: "Present and true where its owner changed the words." }),
  })
  .meta({ id: "Segment", description: "A stretch of speech." });

const Word = z
  .object({
    text: z.string().meta({ description: "The word with its punctuation and the space before it, if there is one." }),
    start: z.number().min(0).meta({ description: "Seconds from the beginning of the reel." }),
    end: z.number().min(0).meta({ description: "Seconds from the beginning of the reel." }),
  })
  .meta({ id: "Word" });

const Gap = z
  .object({
    start: z.number().min(0).meta({ description: "Seconds from the beginning of the reel." }),
    end: z.number().min(0).meta({ description: "Seconds from the beginning of the reel." }),
    reason: z.enum(["repetition", "wrongScript", "lowConfidence", "noText", "skipped"]).meta({
      description:
        "Why the recognizer left it out. repetition: it repeated itself; wrongScript: it wrote letters that the language isn't written in; lowConfidence: it was too unsure; noText: it wrote nothing; skipped: it jumped over it.",
    }),
  })
  .meta({ id: "Gap", description: "A stretch in which somebody speaks, but what is said isn't in the transcript." });

export const FullScript = z
  .object({
    ...Script.omit({ snippet: true, at: true }).shape,
    transcript: z.string().meta({ description: "The whole text, verbatim; empty when nothing is said in the reel." }),
    truncated: z.literal(true).optional().meta({ description: "true when the audio was cut off (very long audio)." }),
    segments: z.array(Segment).meta({ description: "The transcript again, in order, with its times." }),
    gaps: z.array(Gap).optional().meta({
      description:
        "Where speech is missing from the transcript, in order; empty when nothing is missing. Absent when it isn't known, for transcripts made before gaps were kept.",
    }),
    words: z.array(Word).optional().meta({
      description:
        "With `words=true` only: every word with its time, in order. The texts, concatenated, are the transcript, character for character; of a corrected script, the segments that aren't `corrected`. Absent when the transcript has no word times.",
    }),
    correctedAt: z.iso.datetime().optional().meta({
      description:
        "When the caller last corrected the transcript, in the dashboard. Only this script has the correction; `/transcribe` answers the shared transcript. Absent when it is as recognized.",
    }),
    retranscribable: z.literal(true).optional().meta({
      description:
        "Present and true when the reel can be transcribed again: the running recognizer is newer than the one that made this transcript, and hasn't heard the reel yet.",
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
    "Returns one of the caller's own scripts with its whole transcript, the times at which things are said, and how the transcript was made. `gaps` says where speech is missing. `words=true` adds the time of every word; their texts, concatenated, are the transcript. `format` answers it as a file instead: plain text, or subtitles.",
  tag: "Library",
  access: "key",
  http: {
    method: "GET",
    path: "/scripts/{id}",
    formats: {
      parameter: "format",
      description:
        "txt: the bare transcript; srt: SubRip subtitles; vtt: WebVTT subtitles; vtt-words: WebVTT subtitles with the time of every word inside the lines, such as `<00:00:01.200>`, so that players can show words as they are said (without word times it is the same as vtt). Subtitles follow word times where there are any, and show nothing in gaps.",
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
