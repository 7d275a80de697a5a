import { wholeCharacters } from "../values/whole-characters.ts";
import { clock } from "../values/clock.ts";
import * as z from "zod";
import { Cursor, NextCursor } from "../cursor.ts";
import { operation, type Tool } from "../operation.ts";
import { languageCodes } from "../values/languages.ts";
import { platformNames } from "../values/link-grammar.ts";
import { scriptLengthNames } from "../values/script-lengths.ts";
import { fetchReasons } from "./reel-reasons.ts";
import { Script } from "./script.ts";
import { ReelUrl } from "./transcription.ts";

/** Scripts that a tool answers whole at most. */
const wholeScripts = 3;

const shownCharacters = 280;
/** Of all transcripts of a list as text, so that a long list costs a model no more than a short one. */
const listCharacters = 2_600;
/** Of a caption, as much as says what a reel is about. */
export const captionCharacters = 100;

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

type Input = Readonly<Record<string, unknown>>;

interface ScriptList {
  readonly scripts: readonly Script[];
  readonly total: number;
  readonly nextCursor?: string | undefined;
}

const isFull = ({ ids, detail }: Input): boolean => ids !== undefined || detail === "full";

/** The operation's input: it knows ids as text, and nothing of details. */
function scriptsInput({ detail, ids, subtitles, ...input }: Input): Record<string, unknown> {
  if (Array.isArray(ids) && subtitles !== undefined) return { id: ids[0] as unknown, format: subtitles };
  if (Array.isArray(ids)) return { ids: ids.join(",") };
  return detail === "full" ? { ...input, limit: Math.min(Number(input.limit), wholeScripts) } : input;
}

/** Scripts as a list shows them to a model, which pays for each word. */
const scriptsAnswer = (Item: z.ZodObject): NonNullable<Tool["answer"]> => ({
  schema: z.object({ scripts: z.array(Item), total: z.int(), nextCursor: NextCursor }),
  from(output, input) {
    if (input.subtitles !== undefined) return { subtitles: output.text };
    if (isFull(input)) return output;
    const { scripts, ...rest } = output as unknown as ScriptList;
    return { ...rest, scripts: scripts.map(shortened) };
  },
  text: (answer) =>
    typeof answer.subtitles === "string" ? answer.subtitles : listText(answer as unknown as ScriptList),
});

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
  .max(400)
  .refine((text) => text.split(",").length <= wholeScripts, { error: `must be at most ${wholeScripts} ids` })
  .meta({
    description: `Up to ${wholeScripts} script ids, comma-separated: these alone, whole.`,
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
  summary: "List and search the caller's scripts",
  description: "Returns the caller's own scripts, the most recent first.",
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
      input: z.strictObject({ query: Query.min(1), ...listing, detail: Detail }),
      toInput: scriptsInput,
      answer: scriptsAnswer(Script.omit({ transcribedAt: true })),
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
      nextCursor: NextCursor,
    })
    .meta({ id: "ScriptList" }),
  errors: ["notFound", "upstreamError"],
  // A link is followed, but no video is looked at.
  reasons: fetchReasons.filter((reason) => reason !== "videoTooLong"),
  example: { query: "hook", sort: "views", limit: 5 },
});

/** Beside the words that were found the beginning of the transcript says nothing. */
function shortened(listed: Script): ShownScript {
  const { transcribedAt: _, transcript: whole, truncated, ...script } = listed;
  const transcript = wholeCharacters(whole, shownCharacters);
  const isCut = truncated === true || transcript !== whole;
  return {
    ...script,
    ...(script.caption !== undefined && { caption: wholeCharacters(script.caption, captionCharacters) }),
    ...(script.engagementRate !== undefined && { engagementRate: rounded(script.engagementRate) }),
    ...(script.snippet === undefined && { transcript, ...(isCut && { truncated: true as const }) }),
  };
}

type ShownScript = Omit<Script, "transcript"> & { readonly transcript?: string };

function listText({
  scripts,
  total,
  nextCursor,
}: Omit<ScriptList, "scripts"> & { scripts: readonly ShownScript[] }): string {
  const isShort = scripts.every(({ transcribedAt }) => transcribedAt === undefined);
  const most = isShort ? Math.min(shownCharacters, Math.floor(listCharacters / scripts.length)) : undefined;
  const more = nextCursor === undefined ? "" : `; next cursor ${nextCursor}`;
  const isCut = scripts.some(({ truncated }) => truncated === true);
  return [
    `${scripts.length} of ${total} scripts${more}`,
    "id | account | language | views/likes/comments | engagement % | posted | x typical views | reel",
    ...scripts.map((script) => scriptText(script, most)),
    ...(isCut ? ["… ends what is cut; list_my_scripts with ids gives whole texts."] : []),
  ].join("\n");
}

function scriptText(script: ShownScript, most: number | undefined): string {
  const { id, account, language, views, likes, comments, engagementRate, postedAt, caption, reelUrl, analysis } =
    script;
  const facts = [
    id,
    account,
    language,
    [views, likes, comments].map((count) => count ?? unknown).join("/"),
    engagementRate === undefined ? unknown : rounded(engagementRate),
    postedAt?.slice(0, 10),
    analysis?.timesTypicalViews,
    reelUrl,
  ];
  return [
    `- ${facts.map((fact) => fact ?? unknown).join(" | ")}`,
    ...(caption ? [`  caption: ${oneLine(caption)}`] : []),
    `  ${saidText(script, most)}`,
    ...(most === undefined && analysis ? [`  ${analysisText(analysis)}`] : []),
  ].join("\n");
}

const analysisText = ({ wordsPerMinute, callToAction }: NonNullable<Script["analysis"]>): string =>
  `words a minute: ${wordsPerMinute ?? unknown}; call to action: ${callToAction ? oneLine(callToAction) : "none"}`;

const unknown = "?";

const rounded = (rate: number): number => Math.round(rate * 100) / 100;

function saidText(
  { snippet, at, atUrl, transcript = "", truncated }: ShownScript,
  most = Number.POSITIVE_INFINITY,
): string {
  const shown = wholeCharacters(transcript, most);
  if (snippet === undefined) return `said: ${oneLine(shown)}${truncated === true || shown !== transcript ? "…" : ""}`;
  const found = snippet.map(({ text, hit }) => (hit ? `**${text}**` : text)).join("");
  const where = at === undefined ? "" : ` at ${clock(at)}${atUrl === undefined ? "" : ` (${atUrl})`}`;
  return `found${where}: ${oneLine(found)}`;
}

/** A line break of a stranger's text could pass for the next line of ours. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
