import * as z from "zod";
import { Id, onOne, operation } from "../operation.ts";
import { mostDeleted, restorableDays } from "../values/limits.ts";
import { Cursor } from "../cursor.ts";
import { exampleScript, ScriptId } from "./script.ts";
import { ChosenText } from "./translation.ts";
import { Length, MaxLineLength, MaxLines, MaxSeconds, MaxWords, MinSeconds } from "./search-my-scripts.ts";

export const listScriptAccounts = operation({
  summary: "List the accounts of the library",
  description: "The accounts in your library, most scripts first, and the number of all scripts.",
  section: "Library",
  access: "session",
  http: { method: "GET", path: "/scripts/accounts" },
  output: z.object({
    accounts: z.array(z.object({ handle: z.string(), scripts: z.int().min(1) })),
    total: z
      .int()
      .min(0)
      .meta({ description: "Number of all scripts, including those of reels without a known account." }),
  }),
});

export const countScriptKinds = operation({
  summary: "Count the scripts by platform, language and length",
  description: "The number of scripts per platform, language and length. Empty for a library of more than 1,000.",
  section: "Library",
  access: "session",
  http: { method: "GET", path: "/scripts/kinds" },
  output: z.object({
    platforms: z
      .array(z.object({ platform: z.string(), scripts: z.int().min(1) }))
      .meta({ description: "Number of scripts per platform, most scripts first." }),
    languages: z
      .array(z.object({ language: z.string(), scripts: z.int().min(1) }))
      .meta({ description: "Number of scripts per language, most scripts first." }),
    lengths: z
      .array(z.object({ length: Length, scripts: z.int().min(1) }))
      .meta({ description: "Number of scripts per length, shortest first." }),
  }),
});

const onSeveral = {
  section: "Library" as const,
  input: z.strictObject({ ids: z.array(Id).min(1).max(mostDeleted) }),
  example: { ids: ["scr_4Tz8Qm1Lw0XcVb7K"] },
};

export const deleteScripts = operation({
  ...onSeveral,
  summary: "Delete several scripts",
  description: `Moves scripts out of the library, all or none, and ends their share links. Unknown ids are left out. You can restore the scripts for ${restorableDays} days.`,
  access: "key",
  http: { method: "POST", path: "/script-deletions" },
  output: z
    .object({ ids: z.array(z.string()).meta({ description: "Ids of the deleted scripts." }) })
    .meta({ id: "DeletedScripts" }),
  exampleOutput: { ids: ["scr_4Tz8Qm1Lw0XcVb7K"] },
});

export const deleteScript = operation({
  ...onOne("scr"),
  summary: "Delete a script",
  description: `Moves the script out of the library and ends its share link. You can restore it for ${restorableDays} days.`,
  section: "Library",
  access: "key",
  http: { method: "DELETE", path: "/scripts/{id}" },
  exampleOutput: { id: "scr_4Tz8Qm1Lw0XcVb7K" },
});

export const restoreScripts = operation({
  ...onSeveral,
  summary: "Restore deleted scripts",
  description:
    "Restores deleted scripts with their corrections and tags; ids that can't be restored are left out. Share links stay ended.",
  access: "key",
  http: { method: "POST", path: "/script-restorations" },
  output: z
    .object({ ids: z.array(z.string()).meta({ description: "Ids of the restored scripts." }) })
    .meta({ id: "RestoredScripts" }),
  errors: ["notFound"],
  exampleOutput: { ids: ["scr_4Tz8Qm1Lw0XcVb7K"] },
});

export const eraseScripts = operation({
  ...onSeveral,
  summary: "Delete deleted scripts now",
  description:
    "Erases deleted scripts, which nobody can restore afterward; ids of scripts that aren't deleted are left out.",
  access: "session",
  http: { method: "POST", path: "/script-erasures" },
  output: z.object({ ids: z.array(z.string()).meta({ description: "Ids of the erased scripts." }) }),
});

const common = { ...onOne("scr"), section: "Library", access: "key" } as const;

export const getScriptText = operation({
  ...common,
  summary: "Get a script as plain text",
  description: "Returns the whole transcript of a script in your library, or its translation.",
  http: { method: "GET", path: "/scripts/{id}/text", bare: { field: "text", types: { txt: "text/plain" } } },
  input: z.object({ id: ScriptId, text: ChosenText.default("transcript") }),
  output: z.object({ text: z.string() }),
  exampleOutput: { text: exampleScript.transcript },
});

export const getScriptSubtitles = operation({
  ...common,
  summary: "Get a script as subtitles",
  description:
    "Returns a script as subtitles. They follow word times where there are any, and show nothing in gaps. The header `reading-speed`, such as `average=12.4, fastest=17.1`, has the characters per second of all subtitles and of the fastest one.",
  http: {
    method: "GET",
    path: "/scripts/{id}/subtitles",
    bare: {
      field: "text",
      chosenBy: "format",
      types: { srt: "application/x-subrip", vtt: "text/vtt", "vtt-words": "text/vtt", ass: "text/x-ssa" },
      numbers: { header: "reading-speed", field: "readingSpeed" },
    },
  },
  input: z.object({
    id: ScriptId,
    format: z.enum(["srt", "vtt", "vtt-words", "ass"]).default("srt").meta({
      description:
        "Format of the subtitles: `srt` is SubRip, `vtt` is WebVTT, `vtt-words` is WebVTT with word times inside the lines, where known, `ass` is Advanced SubStation Alpha for upright video.",
    }),
    text: ChosenText.default("transcript"),
    maxLineLength: MaxLineLength.default(42),
    maxLines: MaxLines.default(2),
    maxWords: MaxWords.optional(),
    minSeconds: MinSeconds.optional(),
    maxSeconds: MaxSeconds.optional(),
  }),
  output: z.object({
    text: z.string(),
    readingSpeed: z
      .object({ average: z.number(), fastest: z.number() })
      .optional()
      .meta({ description: "Characters per second, of all subtitles and of the fastest one." }),
  }),
  example: { ...common.example, format: "vtt", maxLineLength: 32 },
  exampleOutput: {
    text: "1\n00:00:00,200 --> 00:00:01,900\nYou don't need a better grinder.\n\n2\n00:00:02,100 --> 00:00:04,000\nYou need to wait four minutes.\n",
  },
});

const most = 1_000;

export const listScriptReels = operation({
  summary: "List the reels of the library",
  description:
    "Lists the reels of the library in the order in which they were added, so that a program can keep up with it. `cursor` continues with newer reels, even if there are none yet. `total` is the current size of the library: if it differs from the number of scripts read so far, some were deleted, so read the list again from the start.",
  section: "Library",
  access: "session",
  http: { method: "GET", path: "/script-reels" },
  input: z.object({ cursor: Cursor.optional(), limit: z.int().min(1).max(most).default(most) }),
  output: z.object({
    scripts: z.array(z.object({ id: z.string(), reelUrl: z.string() })),
    cursor: z.string().meta({ description: "Cursor for newer reels, now or later." }),
    more: z.boolean().meta({ description: "Whether there are more reels now." }),
    total: z.int().min(0).meta({ description: "Number of scripts in the library." }),
  }),
});
