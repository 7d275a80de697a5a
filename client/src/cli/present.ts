import { languages, plans, translationMark } from "@reelscript/contract/values";
import type { OperationName, Output } from "../operation-types.ts";
import { describe } from "./describe.ts";
import { showPercentage, showValue, table, wrapText } from "./text.ts";
import type { Page } from "./surroundings.ts";
import { retranscriptionNote, scriptLine, scriptPage } from "./present-script.ts";

/** An answer for people: the body is the answer; the note isn't written to pipes. */
export interface Presentation {
  readonly body: string;
  readonly note?: string;
}

type Presenters = { readonly [Name in OperationName]?: (answer: Output<Name>, page: Page) => Presentation };

const presenters: Presenters = {
  transcribeReel: ({ transcript, language, cached, truncated, usage, translation, scriptId }, page) => ({
    body: [
      ...wrapText(transcript, page.width),
      ...(translation?.text === undefined ? [] : ["", translationMark, ...wrapText(translation.text, page.width)]),
    ].join("\n"),
    note: [
      transcript === "" ? "Nothing is said in this reel" : languageName(language),
      ...(truncated ? ["cut off: the audio is very long"] : []),
      ...(cached ? ["from the shared cache, free"] : []),
      ...(translation?.status === "inProgress" ? [`for the translation: reelscript translate ${scriptId ?? ""}`] : []),
      ...(translation?.status === "notOffered" ? ["not translated"] : []),
      `${showValue(usage.used)} of ${showValue(usage.limit)} transcriptions used`,
    ].join(" · "),
  }),
  translateScript: ({ text = "", status }, page) => ({
    body: text === "" ? "" : [translationMark, ...wrapText(text, page.width)].join("\n"),
    note: status === "done" ? "Written by a machine, and checked by nobody" : "There is no translation",
  }),
  listTranscriptions: ({ transcriptions, nextCursor }, page) => ({
    body: transcriptions.length === 0 ? "" : transcriptionTable(transcriptions, page),
    note:
      transcriptions.length === 0
        ? "No transcriptions in the last 30 days."
        : nextCursor && `Continue with --cursor ${nextCursor}`,
  }),
  searchMyScripts: ({ scripts, total, nextCursor }, page) => ({
    body: scripts.length === 0 ? "" : scriptTable(scripts, page),
    note:
      total === 0
        ? "No scripts found."
        : `${shareOf(scripts, total, "script")}${nextCursor === undefined ? "" : `; continue with --cursor ${nextCursor}`}`,
  }),
  getScript: (script, page) => ({
    body: scriptPage(script, page),
    note: [
      script.transcript === "" ? "Nothing is said in this reel" : languageName(script.language ?? "und"),
      ...(script.truncated ? ["cut off: the audio is very long"] : []),
      script.reelUrl,
    ].join(" · "),
  }),
  getScriptText: ({ text }) => ({ body: text }),
  getScriptSubtitles: ({ text, readingSpeed: speed }) => ({
    body: text,
    ...(speed && { note: `${speed.average} characters a second to read, ${speed.fastest} in the fastest subtitle` }),
  }),
  retranscribeScript: (answer, page) => ({
    body: scriptPage(answer.script, page),
    note: retranscriptionNote(answer),
  }),
  listCompetitorReports: (answer, page) =>
    answer.reports.length === 0
      ? { body: "", note: "No reports yet. Create one in the browser extension." }
      : { body: describe(answer, page) },
  // Their definitions are long, and they are in the documentation.
  getBioAnalytics: (answer, page) => ({ body: describe({ ...answer, definitions: undefined }, page) }),
  listGuides: ({ guides, total }, page) => ({
    body: guideList(guides, page),
    note: total === 0 ? "No guides found." : shareOf(guides, total, "guide"),
  }),
  getGuide: ({ bodyMarkdown }, page) => ({ body: guideText(bodyMarkdown, page) }),
  getUsage: ({ plan, transcriptions, posts }, page) => ({
    body: [
      `Plan            ${page.bold(plans[plan].name)}`,
      `Transcriptions  ${meter(transcriptions.used, transcriptions.limit, page)}`,
      `                ${transcriptions.resetsAt === null ? "never resets" : `resets ${showValue(transcriptions.resetsAt)}`}`,
      ...(posts ? [`Posts           ${meter(posts.used, posts.limit, page)}`] : []),
    ].join("\n"),
  }),
};

/** Presents the answer of an operation; operations without a form of their own use `describe`. */
export function present<Name extends OperationName>(name: Name, answer: Output<Name>, page: Page): Presentation {
  return presenters[name]?.(answer, page) ?? { body: describe(answer, page) };
}

const transcriptionTable = (transcriptions: Output<"listTranscriptions">["transcriptions"], page: Page): string =>
  table(
    transcriptions,
    [
      { title: "STATUS", cell: ({ status }) => status },
      { title: "REQUESTED", cell: ({ requestedAt }) => showValue(requestedAt) },
      { title: "ID", cell: ({ id }) => id },
      { title: "SCRIPT", cell: ({ scriptId }) => scriptId ?? "–" },
      { title: "REEL", cell: ({ reelUrl }) => reelUrl },
    ],
    page,
    ({ error }) => (error === undefined ? [] : [page.dim(`  ${error.message}`)]),
  );

const shareOf = (items: readonly unknown[], total: number, noun: string): string =>
  `${showValue(items.length)} of ${showValue(total)} ${noun}${total === 1 ? "" : "s"}`;

function scriptTable(scripts: Output<"searchMyScripts">["scripts"], page: Page): string {
  return table(
    scripts,
    [
      { title: "ACCOUNT", cell: ({ account }) => (account === undefined ? "–" : `@${account}`) },
      { title: "VIEWS", right: true, cell: ({ views }) => showValue(views) },
      { title: "ENGAGED", right: true, cell: ({ engagementRate }) => showPercentage(engagementRate) },
      { title: "LANGUAGE", cell: ({ language }) => (language === undefined ? "–" : languageName(language)) },
      { title: "TRANSCRIBED", cell: ({ transcribedAt }) => transcribedAt?.slice(0, 10) ?? "–" },
      { title: "ID", cell: ({ id }) => id },
      { title: "REEL", cell: ({ reelUrl }) => reelUrl },
    ],
    page,
    (script) => [page.dim(`  ${scriptLine(script, Math.min(page.width, 100) - 2)}`)],
  );
}

function languageName(code: string): string {
  if (code === "und") return "–";
  const names: Readonly<Record<string, string>> = languages;
  return names[code] ?? code;
}

function meter(used: number, limit: number | null, page: Page): string {
  if (limit === null) return `${showValue(used)}, unlimited`;
  const width = 20;
  const filled = limit === 0 ? width : Math.min(width, Math.ceil((used / limit) * width));
  const color = used >= limit ? page.red : used >= limit * 0.8 ? page.yellow : page.green;
  return `${color("█".repeat(filled))}${page.dim("░".repeat(width - filled))}  ${showValue(used)} of ${showValue(limit)}`;
}

/** Each guide with its summary; with its text where the answer has it. */
function guideList(guides: Output<"listGuides">["guides"], page: Page): string {
  return guides
    .map(({ slug, title, summary, readingMinutes, bodyMarkdown }) =>
      [
        `${page.bold(title)}  ${page.dim(`${slug}, ${readingMinutes} min`)}`,
        ...wrapText(summary, page.width - 2).map((line) => `  ${line}`),
        ...(bodyMarkdown === undefined ? [] : ["", guideText(bodyMarkdown, page)]),
      ].join("\n"),
    )
    .join("\n\n");
}

/** Shows Markdown with bold headings and wrapped lines; code and tables stay unchanged. */
function guideText(bodyMarkdown: string, page: Page): string {
  let isCode = false;
  return bodyMarkdown
    .trimEnd()
    .split("\n")
    .map((line) => {
      const isFence = line.startsWith("```");
      if (isFence) isCode = !isCode;
      if (isFence || isCode || line.startsWith("|")) return line;
      return /^#+ /.test(line) ? page.bold(line) : wrapText(line, page.width).join("\n");
    })
    .join("\n");
}
