import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { languageCodes } from "../values/languages.ts";
import { scriptLengthNames } from "../values/script-lengths.ts";
import { operation } from "../operation.ts";
import { detailFields, ScriptIds, scriptsAnswer, scriptsInput, subtitleFields, wholeScripts } from "./script-tools.ts";

/** Characters of a transcript that a list shows. */
export const listedTranscriptLength = 10_000;

/** Plain text, not markup: what strangers say needs no escaping and no trust. */
const SnippetPart = z
  .object({ text: z.string(), hit: z.boolean().meta({ description: "Whether the query found this part." }) })
  .meta({ id: "SnippetPart" });

export const Script = z
  .object({
    id: z.string().meta({ description: "Stable id." }),
    reelUrl: z.url().meta({ description: "URL of the transcribed reel." }),
    account: z.string().optional().meta({ description: "Handle of the reel's account, without @." }),
    caption: z.string().optional().meta({ description: "Caption at transcription time." }),
    transcript: z.string().meta({ description: "May be truncated for very long reels." }),
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: "true when `transcript` is truncated in this response or the audio was cut off." }),
    language: z.string().optional().meta({ description: "BCP-47 code." }),
    views: z.int().min(0).optional().meta({ description: "View count at collection time." }),
    likes: z.int().min(0).optional().meta({ description: "Like count at collection time." }),
    comments: z.int().min(0).optional().meta({ description: "Comment count at collection time." }),
    engagementRate: z
      .number()
      .min(0)
      .optional()
      .meta({ description: "Percentage: (likes + comments) / views * 100, at collection time." }),
    postedAt: z.iso.datetime().optional().meta({ description: "When the reel was posted." }),
    transcribedAt: z.iso.datetime().optional().meta({ description: "When the transcript was created." }),
    snippet: z.array(SnippetPart).optional().meta({
      description:
        "With a query only: a short piece of the transcript, or else of the caption, around the words found, in parts.",
    }),
    at: z.number().min(0).optional().meta({
      description:
        "Seconds at which the sentence with the first hit begins. Absent when the snippet is of the caption.",
    }),
    atUrl: z.url().optional().meta({ description: "The dashboard at that second." }),
  })
  .meta({ id: "Script" });
export type Script = z.infer<typeof Script>;

const Query = z
  .string()
  .max(500)
  .meta({
    description: 'Full-text search over transcript text and captions; "quoted words" match as a phrase.',
    examples: ["hook"],
  });
const Account = z
  .string()
  .max(64)
  .regex(/^@?[A-Za-z0-9._]+$/, { error: "must be an account handle: letters, digits, dots and underscores" })
  .meta({ description: "Restrict to one account handle, without @." });
const Sort = z
  .enum(["views", "engagement", "date"])
  .default("date")
  .meta({ description: "views: highest first; engagement: highest engagement rate first; date: newest first." });
const Count = z.int().min(1).max(50).default(20).meta({ description: "How many scripts to return." });

const ScriptLanguage = z.enum([...languageCodes, "und"]).meta({ description: "`und`: no speech." });
export const Length = z.enum(scriptLengthNames).meta({ description: "Of the sound." });

const Ids = z
  .string()
  .max(400)
  .refine((text) => text.split(",").length <= wholeScripts, { error: `must be at most ${wholeScripts} ids` })
  .meta({
    description: `Up to ${wholeScripts} script ids with commas between them: exactly these, with whole transcripts. Unknown ids are left out, other parameters ignored.`,
  });

const listing = {
  account: Account.optional(),
  language: ScriptLanguage.optional(),
  length: Length.optional(),
  sort: Sort,
  limit: Count,
  cursor: Cursor.optional(),
};

export const searchMyScripts = operation({
  summary: "List and search the caller's scripts",
  description:
    "Returns the caller's own scripts: reels transcribed over REST, MCP or the extension. Without parameters it lists the most recent. With a query each has a `snippet` and, where it is said, the time (`at`).",
  tag: "Library",
  access: "key",
  http: { method: "GET", path: "/scripts" },
  tools: [
    {
      name: "list_my_scripts",
      title: "List my scripts",
      description:
        "Lists the transcribed reels of the library, newest first (needs an API key).\nUse this tool when you need to:\n- see what was transcribed lately\n- list the reels of one account, language or length, or the best ones\n- get a script whole, or as subtitles\nReturns at most 50 (default 20); narrow with filters, or continue with cursor. Captions and transcripts are cut short: give ids for whole ones; that isn't a transcription. To find words, use search_my_scripts. Costs nothing.",
      input: z
        .strictObject({ ...listing, ids: ScriptIds.optional(), ...subtitleFields, ...detailFields })
        .refine(({ ids, subtitles }) => subtitles === undefined || ids?.length === 1, {
          path: ["subtitles"],
          error: "needs `ids` with one script",
        }),
      operationFor: ({ subtitles }) => (subtitles === undefined ? undefined : "getScriptSubtitles"),
      toInput: scriptsInput,
      answer: scriptsAnswer(Script.omit({ transcribedAt: true, snippet: true, at: true, atUrl: true })),
      openWorld: false,
    },
    {
      name: "search_my_scripts",
      title: "Search my scripts",
      description:
        'Full-text search over the transcripts and captions of the library (needs an API key).\nUse this tool when you need to:\n- find reels in which something is said or written\n- collect quotes on a topic\nAll words must occur (up to 64 of them); "quoted words" match as a phrase; the last word may be unfinished. Returns at most 50 (default 20), each with a snippet around the words that were found, the time at which it is said and an address that opens it there; narrow with filters, or continue with cursor. For whole transcripts use list_my_scripts with ids, or detail: "full". Costs nothing.',
      input: z.strictObject({ query: Query.min(1), ...listing, ...detailFields }),
      toInput: scriptsInput,
      answer: scriptsAnswer(Script.omit({ transcribedAt: true })),
      openWorld: false,
    },
  ],
  input: z.object({
    query: Query.optional(),
    ...listing,
    ids: Ids.optional(),
  }),
  output: z
    .object({
      scripts: z.array(Script),
      total: z.int().min(0).meta({ description: "The count of all matches; may exceed the number returned." }),
      nextCursor: NextCursor,
    })
    .meta({ id: "ScriptList" }),
  errors: [],
  example: { query: "hook", sort: "views", limit: 5 },
});
