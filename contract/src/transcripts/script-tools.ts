import * as z from "zod";
import type { Tool } from "../operation.ts";
import { NextCursor } from "../cursor.ts";
import type { Script } from "./script.ts";

/** Scripts that a tool answers whole at most. */
export const wholeScripts = 3;

const shownCharacters = 280;
/** Of all transcripts of a list as text, so that a long list costs a model no more than a short one. */
const listCharacters = 2_600;
const captionCharacters = 100;

/** What every tool that lists scripts takes besides its filters. */
export const detailFields = {
  detail: z
    .enum(["short", "full"])
    .default("short")
    .meta({ description: `full: whole captions and transcripts, of ${wholeScripts} scripts at most.` }),
};

export const ScriptIds = z
  .array(z.string().min(1).max(128))
  .min(1)
  .max(wholeScripts)
  .meta({ description: `Up to ${wholeScripts} script ids: exactly these, whole. Nothing else is looked at then.` });

/** A script's subtitles, for the tool that reads whole scripts. */
export const subtitleFields = {
  subtitles: z
    .enum(["srt", "vtt"])
    .optional()
    .meta({ description: "With one id: its subtitles as a file of this format, nothing else." }),
};

type Input = Readonly<Record<string, unknown>>;

interface ScriptList {
  readonly scripts: readonly Script[];
  readonly total: number;
  readonly nextCursor?: string | undefined;
}

const isFull = ({ ids, detail }: Input): boolean => ids !== undefined || detail === "full";

/** The operation's input: it knows ids as text, and nothing of details. */
export function scriptsInput({ detail, ids, subtitles, ...input }: Input): Record<string, unknown> {
  if (Array.isArray(ids) && subtitles !== undefined) return { id: ids[0] as unknown, format: subtitles };
  if (Array.isArray(ids)) return { ids: ids.join(",") };
  return detail === "full" ? { ...input, limit: Math.min(Number(input.limit), wholeScripts) } : input;
}

/** Scripts as a list shows them to a model, which pays for each word. */
export const scriptsAnswer = (Item: z.ZodObject): NonNullable<Tool["answer"]> => ({
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

/** Beside the words that were found the beginning of the transcript says nothing. */
function shortened(listed: Script): ShownScript {
  const { transcribedAt: _, transcript: whole, truncated, ...script } = listed;
  const transcript = cut(whole, shownCharacters);
  const isCut = truncated === true || transcript !== whole;
  return {
    ...script,
    ...(script.caption !== undefined && { caption: cut(script.caption, captionCharacters) }),
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
    "id | account | language | views/likes/comments | engagement % | posted | reel",
    ...scripts.map((script) => scriptText(script, most)),
    ...(isCut ? ["… ends what is cut; list_my_scripts with ids gives whole texts."] : []),
  ].join("\n");
}

function scriptText(script: ShownScript, most: number | undefined): string {
  const { id, account, language, views, likes, comments, engagementRate, postedAt, caption, reelUrl } = script;
  const facts = [
    id,
    account,
    language,
    [views, likes, comments].map((count) => count ?? unknown).join("/"),
    engagementRate === undefined ? unknown : rounded(engagementRate),
    postedAt?.slice(0, 10),
    reelUrl,
  ];
  return [
    `- ${facts.map((fact) => fact ?? unknown).join(" | ")}`,
    ...(caption ? [`  caption: ${oneLine(caption)}`] : []),
    `  ${saidText(script, most)}`,
  ].join("\n");
}

const unknown = "?";

const rounded = (rate: number): number => Math.round(rate * 100) / 100;

function saidText(
  { snippet, at, atUrl, transcript = "", truncated }: ShownScript,
  most = Number.POSITIVE_INFINITY,
): string {
  const shown = cut(transcript, most);
  if (snippet === undefined) return `said: ${oneLine(shown)}${truncated === true || shown !== transcript ? "…" : ""}`;
  const found = snippet.map(({ text, hit }) => (hit ? `**${text}**` : text)).join("");
  const where = at === undefined ? "" : ` at ${clockOf(at)}${atUrl === undefined ? "" : ` (${atUrl})`}`;
  return `found${where}: ${oneLine(found)}`;
}

/** 32 seconds as 0:32. */
const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** A line break of a stranger's text could pass for the next line of ours. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** At most `length` characters, never half of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}
