import * as z from "zod";
import type { Tool } from "../operation.ts";
import { NextCursor } from "../cursor.ts";
import type { Script } from "./script.ts";

/** Scripts that a tool answers whole at most. */
export const wholeScripts = 3;

const shownCharacters = 280;
/** Of all transcripts of a list as text, so that a long list costs a model no more than a short one. */
const listCharacters = 4_000;
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

type Input = Readonly<Record<string, unknown>>;

interface ScriptList {
  readonly scripts: readonly Script[];
  readonly total: number;
  readonly nextCursor?: string | undefined;
}

const isFull = ({ ids, detail }: Input): boolean => ids !== undefined || detail === "full";

/** The operation's input: it knows ids as text, and nothing of details. */
export function scriptsInput({ detail, ids, ...input }: Input): Record<string, unknown> {
  if (Array.isArray(ids)) return { ids: ids.join(",") };
  return detail === "full" ? { ...input, limit: Math.min(Number(input.limit), wholeScripts) } : input;
}

/** Scripts as a list shows them to a model, which pays for each word. */
export const scriptsAnswer = (Item: z.ZodObject): NonNullable<Tool["answer"]> => ({
  schema: z.object({ scripts: z.array(Item), total: z.int(), nextCursor: NextCursor }),
  from(output, input) {
    if (isFull(input)) return output;
    const { scripts, ...rest } = output as unknown as ScriptList;
    return { ...rest, scripts: scripts.map(shortened) };
  },
  text: (answer) => listText(answer as unknown as ScriptList),
});

function shortened(whole: Script): Script {
  const { transcribedAt: _, ...script } = whole;
  const transcript = cut(script.transcript, shownCharacters);
  return {
    ...script,
    ...(script.caption !== undefined && { caption: cut(script.caption, captionCharacters) }),
    transcript,
    ...(transcript !== script.transcript && { truncated: true }),
  };
}

function listText({ scripts, total, nextCursor }: ScriptList): string {
  const isShort = scripts.every(({ transcribedAt }) => transcribedAt === undefined);
  const most = isShort ? Math.min(shownCharacters, Math.floor(listCharacters / scripts.length)) : undefined;
  const more = nextCursor === undefined ? "" : `; next cursor ${nextCursor}`;
  const isCut = scripts.some(({ truncated }) => truncated === true);
  return [
    `${scripts.length} of ${total} scripts${more}`,
    "id | account | language | views/likes/comments | engagement % | posted",
    ...scripts.map((script) => scriptText(script, most)),
    ...(isCut ? ["… ends what is cut; list_my_scripts with ids gives whole texts and the reels' URLs."] : []),
  ].join("\n");
}

function scriptText(script: Script, most: number | undefined): string {
  const { id, account, language, views, likes, comments, engagementRate, postedAt, caption, transcribedAt } = script;
  const facts = [
    id,
    account,
    language,
    [views, likes, comments].map((count) => count ?? unknown).join("/"),
    engagementRate === undefined ? unknown : Math.round(engagementRate * 100) / 100,
    postedAt?.slice(0, 10),
    // Of a whole script: a list of short ones is for choosing.
    ...(transcribedAt === undefined ? [] : [script.reelUrl]),
  ];
  return [
    `- ${facts.map((fact) => fact ?? unknown).join(" | ")}`,
    ...(caption ? [`  caption: ${oneLine(caption)}`] : []),
    `  ${saidText(script, most)}`,
  ].join("\n");
}

const unknown = "?";

function saidText({ snippet, at, transcript, truncated }: Script, most = Number.POSITIVE_INFINITY): string {
  const shown = cut(transcript, most);
  if (snippet === undefined) return `said: ${oneLine(shown)}${truncated === true || shown !== transcript ? "…" : ""}`;
  const found = snippet.map(({ text, hit }) => (hit ? `**${text}**` : text)).join("");
  return `found${at === undefined ? "" : ` at ${Math.round(at)} s`}: ${oneLine(found)}`;
}

/** A line break of a stranger's text could pass for the next line of ours. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** At most `length` characters, never half of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}
