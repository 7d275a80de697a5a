import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { operation } from "../operation.ts";
import { exportMinutes } from "../values/limits.ts";
import { languageCodes } from "../values/languages.ts";
import { filePlatform, platformNames } from "../values/links/link-grammar.ts";
import { scriptLengthNames } from "../values/scripts/script-lengths.ts";
import { fetchReasons } from "./reel-reasons.ts";
import { exampleScript, Script } from "./script.ts";
import { ReelUrl } from "./transcription.ts";
import { TagName } from "./tag.ts";
import { scriptCsvColumns } from "../values/scripts/script-csv.ts";
import { csv } from "../values/text/csv.ts";

export const MaxLineLength = z
  .int()
  .min(20)
  .max(80)
  .meta({ description: "Most letters in a line; words aren't cut, and wide letters count as 2.6." });

export const MaxLines = z.int().min(1).max(3).meta({ description: "Most lines in a subtitle." });

export const MaxWords = z.int().min(1).max(3).meta({ description: "Most words in a subtitle." });

/** The ranges meet in one number, so that no minimum is above a maximum. */
export const MinSeconds = z
  .number()
  .min(0.2)
  .max(2)
  .meta({ description: "Shortest time of a subtitle in seconds; by default 1, or 0.2 with maxWords." });

export const MaxSeconds = z.number().min(2).max(20).meta({ description: "Longest time of a subtitle in seconds." });

/** Limit of whole scripts per tool call. */
export const wholeScripts = 3;
/** Limit of whole scripts per request, which is higher because no model has to read them. */
const requestedScripts = 20;

const Detail = z
  .enum(["short", "full"])
  .default("short")
  .meta({
    description: `full returns whole captions and transcripts, of at most ${wholeScripts} scripts.`,
  });

const ScriptIds = z
  .array(z.string().min(1).max(128))
  .min(1)
  .max(wholeScripts)
  .meta({ description: `Up to ${wholeScripts} script ids; returns only these scripts, in full.` });

const Subtitles = z
  .enum(["srt", "vtt", "ass"])
  .optional()
  .meta({ description: "Returns only subtitles; needs one id." });

const Csv = z
  .boolean()
  .optional()
  .meta({ description: `Returns an address of all matches as CSV, valid for ${exportMinutes} min.` });

const Query = z
  .string()
  .max(500)
  .meta({
    description:
      'Full-text search over transcripts, captions and names of accounts; exact matches first, then other forms and spellings of the word. "Quoted words" match as a phrase, in any quotation marks. Emoji and signs (C++, $100) are searched, punctuation is not.',
    examples: ["hook"],
  });
const Account = z
  .string()
  .max(64)
  .regex(/^@?[^\s@/]+$/, { error: "must be an account handle, such as ana.coffee" })
  .meta({ description: "Account handle, with or without @." });
const Sort = z.enum(["views", "engagement", "date", "likes", "posted"]).default("date").meta({
  description: "Order, highest or newest first; date is the time added.",
});

/** A day begins at midnight UTC. */
const isMoment = (text: string): boolean =>
  z.iso.date().safeParse(text).success || z.iso.datetime({ offset: true }).safeParse(text).success;

const Moment = z
  .string()
  .max(35)
  .refine(isMoment, { error: "must be a date such as 2026-11-01, or a date-time such as 2026-11-01T08:30:00Z" });
const Count = z.int().min(1).max(50).default(20);

const ScriptLanguage = z
  .enum([...languageCodes, "und"])
  .meta({ description: "Language of the transcript; und for no speech." });
const Platform = z.enum([...platformNames, filePlatform]);
export const Length = z.enum(scriptLengthNames).meta({ description: "Length of the audio." });

const Ids = z
  .string()
  .max(500)
  .refine((text) => text.split(",").length <= requestedScripts, { error: `must be at most ${requestedScripts} ids` })
  .meta({
    description: `Up to ${requestedScripts} script ids, comma-separated; returns only these scripts, in full. Filters can't be combined with it.`,
  });

export const UnknownIds = z
  .array(z.string())
  .meta({ description: "Ids of the request that no script of the library has." });

/** These fields filter a list, whatever its order. */
const filters = {
  account: Account.optional(),
  platform: Platform.optional(),
  language: ScriptLanguage.optional(),
  length: Length.optional(),
  tag: TagName.optional(),
  postedAfter: Moment.optional().meta({ description: "Date or date-time, inclusive." }),
  postedBefore: Moment.optional(),
  transcribedAfter: Moment.optional(),
  transcribedBefore: Moment.optional(),
};

const filterNames = Object.keys(filters) as (keyof typeof filters)[];

/** True if a call asks for something that scripts named by id don't have: a filter, a table or the deleted ones. */
const narrows = (
  input: { readonly [Name in keyof typeof filters]?: unknown } & { readonly csv?: unknown; readonly deleted?: unknown },
): boolean => input.csv === true || input.deleted === true || filterNames.some((name) => input[name] !== undefined);

const listing = {
  ...filters,
  sort: Sort,
  limit: Count,
  cursor: Cursor.optional(),
};

/** The filters of a list, shared by requests for a page and for an export. */
export const ScriptSearchInput = z.object({ query: Query.optional(), ...filters, sort: Sort });

/** The input of the tools: their descriptions, which agents read each time, say how words match. */
const tooled = {
  ...listing,
  cursor: Cursor.optional().meta({
    description: "nextCursor of the previous page; keep all other arguments unchanged.",
  }),
};

export const searchMyScripts = operation({
  summary: "Search your library",
  description: "Returns your scripts, newest first, or the matches of a full-text search.",
  section: "Library",
  access: "key",
  http: {
    method: "GET",
    path: "/scripts",
    formats: {
      parameter: "format",
      description:
        "`csv` returns all matches with full transcripts as text/csv and ignores `limit`; one file per account is written at a time.",
      isUntyped: true,
      forms: {
        csv: { type: "text/csv", write: ({ scripts }: { scripts: Script[] }) => csv(scriptCsvColumns, scripts) },
      },
      fileName: () => "scripts",
    },
  },
  tools: [
    {
      name: "list_my_scripts",
      title: "List my scripts",
      description:
        "Lists the transcribed reels of the library, newest first (needs an API key).\nUse this tool when you need to:\n- list the reels of one account, tag, date or length, or the best ones\n- see which hooks worked: hook is how a reel begins, sort is views, and csv has it as a column\n- get a script whole, as subtitles, or all of them as CSV\nTexts are cut short, except by ids. To find words, use search_my_scripts. Costs nothing.",
      input: z
        .strictObject({
          ...tooled,
          ids: ScriptIds.optional(),
          subtitles: Subtitles,
          maxLineLength: MaxLineLength.optional(),
          maxLines: MaxLines.optional(),
          maxWords: MaxWords.optional(),
          minSeconds: MinSeconds.optional(),
          maxSeconds: MaxSeconds.optional(),
          detail: Detail,
          deleted: z.boolean().optional().meta({ description: "Returns only deleted scripts." }),
          csv: Csv,
        })
        .refine(
          ({ subtitles, maxLineLength, maxLines, maxWords, minSeconds, maxSeconds }) =>
            subtitles !== undefined ||
            (maxLineLength ?? maxLines ?? maxWords ?? minSeconds ?? maxSeconds) === undefined,
          {
            path: ["subtitles"],
            error: "is needed for maxLineLength, maxLines, maxWords, minSeconds and maxSeconds",
          },
        )
        .refine(({ ids, subtitles }) => subtitles === undefined || ids?.length === 1, {
          path: ["subtitles"],
          error: "needs `ids` with one script",
        })
        .refine((input) => input.ids === undefined || !narrows(input), {
          path: ["ids"],
          error: "can't be combined with filters, `csv` or `deleted`",
        }),
      openWorld: false,
    },
    {
      name: "search_my_scripts",
      title: "Search my scripts",
      description:
        'Full-text search over the transcripts, captions and account names of the library (needs an API key).\nUse this tool when you need to:\n- find reels in which something is said or written\n- collect quotes on a topic\nAll words must occur (up to 64); "quoted words" match as a phrase; the last word may be unfinished; other forms of a word come later; emoji and signs (C++, $100) are searched. Each comes with a snippet, the times of the words and an address that opens it there. For whole transcripts use detail: "full". Costs nothing.',
      input: z.strictObject({
        query: Query.min(1).meta({ description: "Words to search for, or a phrase in quotes." }),
        ...tooled,
        detail: Detail,
        csv: Csv,
      }),
      openWorld: false,
    },
  ],
  input: z.object({
    query: Query.optional(),
    ...listing,
    deleted: z.boolean().optional().meta({
      description:
        "Returns only deleted scripts, the last deleted first; allows no parameter except `limit` and `cursor`.",
    }),
    ids: Ids.optional(),
    url: ReelUrl.optional().meta({ description: "Reel URL; returns only its script, in full." }),
  }),
  output: z
    .object({
      scripts: z.array(Script),
      total: z.int().min(0).meta({ description: "The count of all matches." }),
      ignored: z
        .array(z.string())
        .optional()
        .meta({ description: "Parts of the query that aren't searched, because they are punctuation." }),
      instead: z.string().optional().meta({
        description:
          "The query whose matches these are, with a similar word of the library, because nothing matches the query itself.",
      }),
      unknownIds: UnknownIds.optional(),
      nextCursor: NextCursor,
    })
    .meta({ id: "ScriptList" }),
  errors: ["notFound", "upstreamError"],
  // Follows a link, but requests no video.
  reasons: fetchReasons.filter((reason) => reason !== "videoTooLong" && reason !== "platformNotSetUp"),
  example: { query: "hook", sort: "views", limit: 5 },
  exampleOutput: {
    scripts: [exampleScript],
    total: 57,
    nextCursor: "q0Vh1Zr8mJm3XkQ2WzE3NjM5NzQyMDAwMDAsMTJd",
  },
});

export const linkScriptExport = operation({
  summary: "Get an address of an export",
  description: `Returns an address at which anybody who has it can download the matches of a search as CSV for ${exportMinutes} minutes.`,
  section: "Library",
  access: "key",
  http: { method: "GET", path: "/script-export", creates: true },
  input: ScriptSearchInput,
  output: z.object({ url: z.url(), expiresAt: z.iso.datetime(), total: z.int().min(0) }).meta({ id: "ScriptExport" }),
  example: { tag: "hooks" },
  exampleOutput: {
    url: "https://reelscript.example/exports/5dGq0Vh1Zr8mJm3XkQ2WzE3NjM5NzQyMDAwMDAsMTJdAbC",
    expiresAt: "2026-11-20T10:10:00.000Z",
    total: 57,
  },
});
