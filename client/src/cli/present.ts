import { languages, type OperationName, plans } from "@reelscript/contract";
import type { Output } from "../operation-types.ts";
import { describe, showValue } from "./describe.ts";
import type { Page } from "./page.ts";
import { mePage, reelPage } from "./present-account.ts";
import { bioChanges, bioFigures, bioNote, bioPage, changeNote, figuresNote } from "./present-bio.ts";
import { guideList, guideText } from "./present-guide.ts";
import { plansPage, productPage } from "./present-product.ts";
import { reportPage, reportTable } from "./present-report.ts";
import { retranscriptionNote, scriptLine, scriptPage } from "./present-script.ts";
import { table } from "./table.ts";
import { wrapText } from "./text.ts";

/** An answer for people: the body is the answer, and the note stays out of pipes. */
export interface Presentation {
  readonly body: string;
  readonly note?: string;
}

type Presenters = { readonly [Name in OperationName]?: (answer: Output<Name>, page: Page) => Presentation };

const presenters: Presenters = {
  transcribeReel: ({ transcript, language, cached, truncated, usage }, page) => ({
    body: wrapText(transcript, page.width).join("\n"),
    note: [
      transcript === "" ? "Nothing is said in this reel" : languageName(language),
      ...(truncated ? ["cut off: the audio is very long"] : []),
      ...(cached ? ["from the shared cache, free"] : []),
      `${showValue(usage.used)} of ${showValue(usage.limit)} transcriptions used`,
    ].join(" · "),
  }),
  searchMyScripts: ({ scripts, total, nextCursor }, page) => ({
    body: scripts.length === 0 ? "" : scriptTable(scripts, page),
    note:
      total === 0
        ? "No scripts found."
        : `${showValue(scripts.length)} of ${showValue(total)} scripts${nextCursor === undefined ? "" : `; continue with --cursor ${nextCursor}`}`,
  }),
  getScript: (script, page) => ({
    body: scriptPage(script, page),
    note: [
      script.transcript === "" ? "Nothing is said in this reel" : languageName(script.language ?? "und"),
      ...(script.truncated ? ["cut off: the audio is very long"] : []),
      script.reelUrl,
    ].join(" · "),
  }),
  getMe: (answer, page) => ({ body: mePage(answer, page) }),
  resolveReel: (answer, page) => ({ body: reelPage(answer, page) }),
  getScriptText: ({ text }) => ({ body: text }),
  getScriptSubtitles: ({ text }) => ({ body: text }),
  retranscribeScript: (answer, page) => ({
    body: scriptPage(answer.script, page),
    note: retranscriptionNote(answer),
  }),
  listCompetitorReports: ({ reports }, page) => ({
    body: reports.length === 0 ? "" : reportTable(reports, page),
    note: reports.length === 0 ? "No reports yet; the browser extension makes them." : undefined,
  }),
  getCompetitorReport: (report, page) => ({ body: reportPage(report, page) }),
  getMyBioPage: (answer, page) => ({ body: bioPage(answer, page), note: bioNote(answer) }),
  updateBioPage: (answer, page) => ({ body: bioChanges(answer, page), note: changeNote(answer) }),
  revertBioPage: (answer, page) => ({ body: bioChanges(answer, page), note: changeNote(answer) }),
  getBioAnalytics: (answer, page) => ({ body: bioFigures(answer, page), note: figuresNote(answer) }),
  listGuides: ({ guides, total }, page) => ({
    body: guideList(guides, page),
    note: total === 0 ? "No guides found." : `${showValue(guides.length)} of ${showValue(total)} guides`,
  }),
  getGuide: ({ bodyMarkdown }, page) => ({ body: guideText(bodyMarkdown, page) }),
  getProductOverview: (overview, page) => ({ body: productPage(overview, page) }),
  getPlans: (answer, page) => ({ body: plansPage(answer, page) }),
  getUsage: ({ plan, transcriptions, posts }, page) => ({
    body: [
      `Plan            ${page.bold(plans[plan].name)}`,
      `Transcriptions  ${meter(transcriptions.used, transcriptions.limit, page)}`,
      `                ${transcriptions.resetsAt === null ? "never resets" : `resets ${showValue(transcriptions.resetsAt)}`}`,
      ...(posts ? [`Posts           ${meter(posts.used, posts.limit, page)}`] : []),
    ].join("\n"),
  }),
};

/** The answer of an operation; those without a form of their own are shown line by line. */
export function present<Name extends OperationName>(name: Name, answer: Output<Name>, page: Page): Presentation {
  return presenters[name]?.(answer, page) ?? { body: describe(answer, page) };
}

function scriptTable(scripts: Output<"searchMyScripts">["scripts"], page: Page): string {
  return table(
    scripts,
    [
      { title: "ACCOUNT", cell: ({ account }) => (account === undefined ? "–" : `@${account}`) },
      { title: "VIEWS", right: true, cell: ({ views }) => showValue(views) },
      {
        title: "ENGAGED",
        right: true,
        cell: ({ engagementRate }) => (engagementRate === undefined ? "–" : `${engagementRate.toFixed(1)}%`),
      },
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
