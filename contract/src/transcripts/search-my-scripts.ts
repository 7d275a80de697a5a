import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { operation } from "../operation.ts";
import { languageCodes } from "../values/languages.ts";
import { platformNames } from "../values/link-grammar.ts";
import { scriptLengthNames } from "../values/script-lengths.ts";
import { fetchReasons } from "./reel-reasons.ts";
import { exampleScript, Script } from "./script.ts";
import { ReelUrl } from "./transcription.ts";

/** A tool's call for whole scripts gets at most this many. */
export const wholeScripts = 3;
/** A request for whole scripts gets at most this many: no model has to read them. */
const requestedScripts = 20;

const Detail = z
  .enum(["short", "full"])
  .default("short")
  .meta({ description: `full: whole captions and transcripts, of ${wholeScripts} scripts at most.` });

const ScriptIds = z
  .array(z.string().min(1).max(128))
  .min(1)
  .max(wholeScripts)
  .meta({ description: `Up to ${wholeScripts} script ids: exactly these, whole. Nothing else is looked at then.` });

const Subtitles = z
  .enum(["srt", "vtt"])
  .optional()
  .meta({ description: "With one id: its subtitles as a file of this format, nothing else." });

const Query = z
  .string()
  .max(500)
  .meta({
    description:
      'Full-text search over transcript text and captions, the very words before other forms of them; "quoted words" match as a phrase, in any quotation marks. Emoji and signs (C++, $100) are searched, punctuation is not.',
    examples: ["hook"],
  });
const Account = z
  .string()
  .max(64)
  .regex(/^@?[^\s@/]+$/, { error: "must be an account handle, such as ana.coffee" })
  .meta({ description: "Restrict to one account handle, without @." });
const Sort = z
  .enum(["views", "engagement", "date"])
  .default("date")
  .meta({ description: "views: highest first; engagement: highest engagement rate first; date: newest first." });
const Count = z.int().min(1).max(50).default(20);

const ScriptLanguage = z.enum([...languageCodes, "und"]).meta({ description: "`und`: no speech." });
const Platform = z.enum(platformNames);
export const Length = z.enum(scriptLengthNames).meta({ description: "Of the sound." });

const Ids = z
  .string()
  .max(500)
  .refine((text) => text.split(",").length <= requestedScripts, { error: `must be at most ${requestedScripts} ids` })
  .meta({
    description: `Up to ${requestedScripts} script ids, comma-separated: these alone, whole.`,
  });

const listing = {
  account: Account.optional(),
  platform: Platform.optional(),
  language: ScriptLanguage.optional(),
  length: Length.optional(),
  sort: Sort,
  limit: Count,
  cursor: Cursor.optional(),
};

export const searchMyScripts = operation({
  summary: "Search your library",
  description: "Returns your scripts, newest first.",
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
        .strictObject({ ...listing, ids: ScriptIds.optional(), subtitles: Subtitles, detail: Detail })
        .refine(({ ids, subtitles }) => subtitles === undefined || ids?.length === 1, {
          path: ["subtitles"],
          error: "needs `ids` with one script",
        }),
      openWorld: false,
    },
    {
      name: "search_my_scripts",
      title: "Search my scripts",
      description:
        'Full-text search over the transcripts and captions of the library (needs an API key).\nUse this tool when you need to:\n- find reels in which something is said or written\n- collect quotes on a topic\nAll words must occur (up to 64 of them); "quoted words" match as a phrase; the last word may be unfinished; other forms of a word come after the word itself. Returns at most 50 (default 20), each with a snippet around the words that were found, the times at which they are said and an address that opens it there; narrow with filters, or continue with cursor. For whole transcripts use list_my_scripts with ids, or detail: "full". Costs nothing.',
      input: z.strictObject({ query: Query.min(1), ...listing, detail: Detail }),
      openWorld: false,
    },
  ],
  input: z.object({
    query: Query.optional(),
    ...listing,
    ids: Ids.optional(),
    url: ReelUrl.optional().meta({ description: "Only this reel's, whole." }),
  }),
  output: z
    .object({
      scripts: z.array(Script),
      total: z.int().min(0).meta({ description: "The count of all matches." }),
      ignored: z
        .array(z.string())
        .optional()
        .meta({ description: "Parts of the query that aren't searched, because they are punctuation." }),
      nextCursor: NextCursor,
    })
    .meta({ id: "ScriptList" }),
  errors: ["notFound", "upstreamError"],
  // A link is followed, but no video is looked at.
  reasons: fetchReasons.filter((reason) => reason !== "videoTooLong" && reason !== "platformNotSetUp"),
  example: { query: "hook", sort: "views", limit: 5 },
  exampleOutput: {
    scripts: [exampleScript],
    total: 57,
    nextCursor: "q0Vh1Zr8mJm3XkQ2WzE3NjM5NzQyMDAwMDAsMTJd",
  },
});
