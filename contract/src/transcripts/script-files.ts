import * as z from "zod";
import { operation } from "../operation.ts";

const id = z.string().min(1).max(128).meta({ description: "A script's id, as the list and searches give it." });

const common = { tag: "Library", access: "key", errors: ["notFound"] } as const;

export const getScriptText = operation({
  ...common,
  summary: "Get a script as plain text",
  description: "Returns the whole transcript of one of the caller's own scripts.",
  http: { method: "GET", path: "/scripts/{id}/text", bare: { field: "text", types: { txt: "text/plain" } } },
  input: z.object({ id }),
  output: z.object({ text: z.string() }),
  example: { id: "scr_4Tz8Qm1Lw0XcVb7K" },
});

export const getScriptSubtitles = operation({
  ...common,
  summary: "Get a script as subtitles",
  description:
    "Returns a script of the caller as subtitles. They follow word times where there are any, and show nothing in gaps.",
  http: {
    method: "GET",
    path: "/scripts/{id}/subtitles",
    bare: {
      field: "text",
      chosenBy: "format",
      types: { srt: "application/x-subrip", vtt: "text/vtt", "vtt-words": "text/vtt" },
    },
  },
  input: z.object({
    id,
    format: z.enum(["srt", "vtt", "vtt-words"]).default("srt").meta({
      description:
        "srt: SubRip; vtt: WebVTT; vtt-words: WebVTT with the time of every word inside the lines, such as `<00:00:01.200>`, where word times are known.",
    }),
  }),
  output: z.object({ text: z.string() }),
  example: { id: "scr_4Tz8Qm1Lw0XcVb7K", format: "vtt" },
});
