import { clock, cutText, listedTranscriptLength, restorableDays, Script, wholeScripts } from "@reelscript/contract";
import * as z from "zod";
import type { OperationCall, OutputOf, ToolShape } from "./tool-shape.ts";

/** UTF-16 units of each transcript in a list. */
const shownCharacters = 280;
/** Hits of a script after its first one; the dashboard and REST return more. */
const shownHits = 8;
/** UTF-16 units of all transcripts in a list, so that a long list costs a model no more than a short one. */
const listCharacters = 2_600;
/** UTF-16 units of a caption, enough to show what a reel is about. */
export const captionCharacters = 100;

/** The input of both tools that read the library, after their schemas have checked it. */
interface ScriptsInput {
  readonly query?: string;
  readonly ids?: readonly string[];
  readonly subtitles?: "srt" | "vtt" | "ass";
  readonly maxLineLength?: number;
  readonly maxLines?: number;
  readonly maxWords?: number;
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  readonly detail: "short" | "full";
  readonly sort?: string;
  readonly limit: number;
  readonly deleted?: boolean;
  readonly csv?: boolean;
}

type ScriptsOutput = OutputOf<"searchMyScripts"> | OutputOf<"getScriptSubtitles"> | OutputOf<"linkScriptExport">;
type ShownScript = Omit<Script, "transcript"> & { readonly transcript?: string };

interface ScriptList {
  readonly scripts: readonly ShownScript[];
  readonly total: number;
  readonly ignored?: readonly string[] | undefined;
  readonly instead?: string | undefined;
  readonly nextCursor?: string | undefined;
}

interface ScriptFile {
  readonly url: string;
  readonly expiresAt: string;
  readonly total: number;
}

interface ScriptSubtitles {
  readonly subtitles: string;
  /** Characters per second. */
  readonly readingSpeed?: { readonly average: number; readonly fastest: number } | undefined;
}

type ScriptsContent = ScriptList | ScriptFile | ScriptSubtitles;

type ScriptsShape = ToolShape<ScriptsOutput, ScriptsInput, ScriptsContent>;

const listContent = (Item: z.ZodObject): z.ZodObject =>
  z.object({
    scripts: z.array(Item),
    total: z.int(),
    ignored: z.array(z.string()).optional(),
    nextCursor: z.string().optional(),
  });

export const listMyScripts: ScriptsShape = {
  call({ ids, subtitles, maxLineLength, maxLines, maxWords, minSeconds, maxSeconds, ...input }) {
    if (ids !== undefined && subtitles !== undefined)
      return {
        operation: "getScriptSubtitles",
        input: { id: ids[0], format: subtitles, maxLineLength, maxLines, maxWords, minSeconds, maxSeconds },
      };
    if (ids !== undefined) return { operation: "searchMyScripts", input: { ids: ids.join(",") } };
    return listCall(input);
  },
  answer: { schema: listContent(Script.omit({ snippet: true, at: true, atUrl: true, hits: true })), from: contentOf },
  text: textOf,
};

export const searchScripts: ScriptsShape = {
  call: listCall,
  answer: { schema: listContent(Script).extend({ instead: z.string().optional() }), from: contentOf },
  text: textOf,
};

/** A call for a table gets its address instead of a page of it. */
function listCall({ csv, deleted, ...input }: ScriptsInput): OperationCall {
  if (csv !== true)
    return { operation: "searchMyScripts", input: { ...listInput(input), ...(deleted && { deleted }) } };
  const { limit: _limit, cursor: _cursor, detail: _detail, ...filter } = input as ScriptsInput & { cursor?: string };
  return { operation: "linkScriptExport", input: filter };
}

/** The operation has no `detail`: a smaller limit stands for whole texts. */
function listInput({ detail, ...input }: ScriptsInput): Readonly<Record<string, unknown>> {
  return detail === "full" ? { ...input, limit: Math.min(input.limit, wholeScripts) } : input;
}

const isWhole = ({ ids, detail }: ScriptsInput): boolean => ids !== undefined || detail === "full";

function contentOf(output: ScriptsOutput, input: ScriptsInput): ScriptsContent {
  if ("text" in output)
    return { subtitles: output.text, ...(output.readingSpeed && { readingSpeed: output.readingSpeed }) };
  if ("url" in output) return output;
  if (isWhole(input)) return output;
  const { scripts, total, ignored, instead, nextCursor } = output;
  return {
    scripts: scripts.map(shortened),
    total,
    ...(ignored && { ignored }),
    ...(instead !== undefined && { instead }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** Next to the hits, the beginning of the transcript adds nothing. */
function shortened({ transcript: whole, truncated, hits = [], ...script }: Script): ShownScript {
  const transcript = cutText(whole, shownCharacters);
  const isCut = truncated === true || transcript !== whole;
  return {
    ...script,
    ...(hits.length > 1 && { hits: hits.slice(0, shownHits) }),
    ...(script.caption !== undefined && { caption: cutText(script.caption, captionCharacters) }),
    ...(script.engagementRate !== undefined && { engagementRate: rounded(script.engagementRate) }),
    ...(script.snippet === undefined && { transcript, ...(isCut && { truncated: true as const }) }),
  };
}

function textOf(content: ScriptsContent, input: ScriptsInput): string {
  if ("subtitles" in content) return content.subtitles;
  if ("url" in content)
    return `${content.total} scripts as CSV, for whoever has the address until ${content.expiresAt}: ${content.url}`;
  return listText(content, input);
}

function listText({ scripts, total, ignored, instead, nextCursor }: ScriptList, input: ScriptsInput): string {
  const most = isWhole(input) ? undefined : Math.min(shownCharacters, Math.floor(listCharacters / scripts.length));
  const isCut = (script: ShownScript): boolean => isTextCut(script, input, most);
  const more = nextCursor === undefined ? "" : `; next cursor ${nextCursor}`;
  return [
    `${scripts.length} of ${total} scripts${more}`,
    ...(ignored ? [`Not searched, because it is punctuation: ${oneLine(ignored.join(" "))}`] : []),
    ...(instead === undefined ? [] : [`Nothing matches the query. These match: ${oneLine(instead)}`]),
    ...unsorted(scripts, input),
    "id | account | language | views/likes/comments | engagement % | posted | transcribed | x typical views | reel",
    ...scripts.map((script) => scriptText(script, most, isCut(script))),
    ...(scripts.some(isCut) ? ["… ends what is cut; list_my_scripts with ids gives whole texts."] : []),
  ].join("\n");
}

/** The count by which a list is sorted, in the words of its caller. */
const countOf: Readonly<Record<string, "views" | "likes" | "engagementRate">> = {
  views: "views",
  likes: "likes",
  engagement: "engagementRate",
};

/** A sentence for a list in which nothing has the count by which it is sorted. */
function unsorted(scripts: readonly ShownScript[], { sort = "" }: ScriptsInput): string[] {
  const count = countOf[sort];
  if (count === undefined || scripts.length === 0 || scripts.some((script) => script[count] !== undefined)) return [];
  const others = Object.keys(countOf).filter((other) =>
    scripts.some((script) => script[countOf[other]!] !== undefined),
  );
  const instead = others.length === 0 ? "" : ` Sort by ${others.join(" or ")} instead.`;
  return [`No ${sort} ${sort === "engagement" ? "is" : "are"} known of these, so the newest come first.${instead}`];
}

/** Texts are cut between graphemes, which may have so many UTF-16 units. */
const longestGrapheme = 100;

/** True if the transcript has more text than the answer shows. Scripts requested by id are always whole. */
function isTextCut(
  { transcript = "", snippet, truncated }: ShownScript,
  { ids, detail }: ScriptsInput,
  most: number | undefined,
): boolean {
  if (ids !== undefined || snippet !== undefined) return false;
  const longest = detail === "full" ? listedTranscriptLength : shownCharacters;
  return (truncated === true && transcript.length > longest - longestGrapheme) || transcript.length > (most ?? longest);
}

function scriptText(script: ShownScript, most: number | undefined, isCut: boolean): string {
  const { id, account, language, views, likes, comments, engagementRate, postedAt, transcribedAt, caption } = script;
  const facts = [
    id,
    account,
    language,
    [views, likes, comments].map((count) => count ?? unknown).join("/"),
    engagementRate === undefined ? unknown : rounded(engagementRate),
    postedAt?.slice(0, 10),
    transcribedAt?.slice(0, 10),
    script.analysis?.timesTypicalViews,
    script.reelUrl,
  ];
  return [
    `- ${facts.map((fact) => fact ?? unknown).join(" | ")}`,
    ...(caption ? [`  caption: ${oneLine(caption)}`] : []),
    `  ${saidText(script, most, isCut)}`,
    ...(script.tags ? [`  tags: ${oneLine(script.tags.join(", "))}`] : []),
    ...(script.restorableUntil === undefined ? [] : [`  deleted; can be restored until ${script.restorableUntil}`]),
    ...(script.translation?.text === undefined ? [] : [`  translated by machine: ${oneLine(script.translation.text)}`]),
    ...(script.rough === true ? ["  a rough draft: many words are wrong"] : []),
    ...(script.audioCut === true ? ["  only the beginning of the audio is transcribed; there is no more text"] : []),
    ...(most === undefined && script.analysis ? [`  ${analysisText(script.analysis)}`] : []),
  ].join("\n");
}

const analysisText = ({ wordsPerMinute, callToAction }: NonNullable<Script["analysis"]>): string =>
  `words a minute: ${wordsPerMinute ?? unknown}; call to action: ${callToAction ? oneLine(callToAction) : "none"}`;

const unknown = "?";

const rounded = (rate: number): number => Math.round(rate * 100) / 100;

function saidText(
  { snippet, at, atUrl, hits = [], transcript = "" }: ShownScript,
  most: number | undefined,
  isCut: boolean,
): string {
  const excerpt = cutText(transcript, most ?? Number.POSITIVE_INFINITY);
  if (snippet === undefined) return `said: ${oneLine(excerpt)}${isCut ? "…" : ""}`;
  const markedSnippet = snippet.map(({ text, hit }) => (hit ? `**${text}**` : text)).join("");
  const where = at === undefined ? "" : ` at ${clock(at)}${atUrl === undefined ? "" : ` (${atUrl})`}`;
  const others = hits.filter((hit) => hit.at !== at).slice(0, shownHits);
  const also = others.length === 0 ? "" : `; also at ${others.map((hit) => clock(hit.at)).join(", ")}`;
  return `found${where}: ${oneLine(markedSnippet)}${also}`;
}

/** A line break in a stranger's text could be mistaken for our next line. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

interface UpdateInput {
  readonly id?: string;
  readonly ids?: readonly string[];
  readonly query?: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly tags?: readonly string[];
  readonly deleted?: boolean;
}

type UpdateOutput =
  | OutputOf<"setScriptTags">
  | OutputOf<"tagScripts">
  | OutputOf<"deleteScript">
  | OutputOf<"restoreScripts">;

interface UpdatedScript {
  readonly id?: string;
  readonly tags?: readonly string[];
  readonly scripts?: number;
}

export const updateScript: ToolShape<UpdateOutput, UpdateInput, UpdatedScript> = {
  call({ id = "", ids, query, add, remove, tags, deleted }) {
    if (deleted === true) return { operation: "deleteScript", input: { id } };
    if (deleted === false) return { operation: "restoreScripts", input: { ids: [id] } };
    if (tags !== undefined) return { operation: "setScriptTags", input: { id, tags } };
    const changed = query === undefined ? { ids: ids ?? [id] } : { search: { query } };
    return { operation: "tagScripts", input: { ...changed, add: add ?? [], remove: remove ?? [] } };
  },
  answer: {
    schema: z.object({
      id: z.string().optional(),
      tags: z.array(z.string()).optional(),
      scripts: z.int().optional(),
    }),
    from: (output, { id }) =>
      "scripts" in output
        ? { scripts: output.scripts }
        : { ...(id !== undefined && { id }), ...("tags" in output && { tags: output.tags }) },
  },
  text({ id = "", tags = [], scripts }, { add = [], remove = [], deleted }) {
    if (deleted === true) return `${id} is deleted. It can be restored for ${restorableDays} days (deleted: false).`;
    if (deleted === false) return `${id} is back in the library.`;
    if (scripts !== undefined) {
      const changes = [
        ...(add.length > 0 ? [`now have ${oneLine(add.join(", "))}`] : []),
        ...(remove.length > 0 ? [`no longer have ${oneLine(remove.join(", "))}`] : []),
      ];
      return `${scripts} scripts ${changes.join(" and ") || "are unchanged"}. Their other tags stay.`;
    }
    return tags.length === 0 ? `${id} has no tags.` : `${id} has the tags ${oneLine(tags.join(", "))}.`;
  },
};
