import { meter, note } from "../interface/controls.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { counted, exactNumber } from "../interface/format.ts";
import { codeIn, reelAddress } from "../platform/page-location.ts";
import type { Batch } from "../service/sent-reels.ts";

export type BatchLink = Batch["links"][number];

/** Shows the progress of reels; redraws only changes, so that nobody loses their place or hears a note twice. */
export function createBatchProgress() {
  const sentence = element("p", { role: "status" });
  const bar = meter("Reels transcribed", "voice");
  const wait = element("div");
  const rows = element("ol", { class: "batch" });
  const lastKeys = { rows: "", waits: "" };
  return {
    summary: element("div", { class: "collecting" }, sentence, bar.node),
    /** Shows what is being waited for, or what went wrong. */
    wait,
    rows,
    /** `unsent`: codes of reels that the service doesn't have yet. */
    show(batches: readonly Batch[], unsent: readonly string[]): void {
      const links = batches.flatMap((batch) => batch.links);
      const ended = links.reduce((sum, link) => sum + shareOf(link), 0);
      bar.set(ended / Math.max(1, links.length + unsent.length));
      const text = summaryOf(links, unsent.length);
      if (text !== sentence.textContent) sentence.textContent = text;
      const key = JSON.stringify([links, unsent]);
      if (key !== lastKeys.rows) fill(rows, ...links.map(rowOf), ...unsent.map((code) => row(code, chip("Not sent"))));
      lastKeys.rows = key;
    },
    showWaits(batches: readonly Batch[]): void {
      const sentences = waitSentences(batches);
      const key = sentences.join("\n");
      if (key !== lastKeys.waits) fill(wait, ...sentences.map((text) => note("plain", paragraph(text))));
      lastKeys.waits = key;
    },
    clearWait(): void {
      lastKeys.waits = "";
      fill(wait);
    },
  };
}

const shareOf = ({ status, progress = 0 }: BatchLink): number =>
  status === "running" ? progress : Number(status === "done" || status === "failed" || status === "canceled");

function summaryOf(links: readonly BatchLink[], unsent: number): string {
  if (links.length + unsent === 0) return "";
  const countOf = (status: BatchLink["status"]): number => links.filter((link) => link.status === status).length;
  const failed = countOf("failed");
  const canceled = countOf("canceled");
  const ends = [
    ...(failed > 0 ? [`${exactNumber(failed)} failed`] : []),
    ...(canceled > 0 ? [`${exactNumber(canceled)} canceled`] : []),
  ];
  const all = counted(links.length + unsent, "reel", "reels");
  return [`${exactNumber(countOf("done"))} of ${all} transcribed`, ...ends].join(", ");
}

/** Shows what the next reels wait for. */
function waitSentences(batches: readonly Batch[]): readonly string[] {
  const sentences = batches.flatMap(({ waitingFor, continuesAt, counts }) => {
    if (waitingFor === undefined || counts.waiting === 0) return [];
    if (waitingFor === "quota") return "The rest waits for reels that hold your last transcriptions.";
    if (waitingFor === "queue") return "The rest waits for a free place in the queue.";
    if (waitingFor === "platform") return "The platform isn’t answering. We’ll ask again.";
    const minutes = Math.ceil((Date.parse(continuesAt ?? "") - Date.now()) / 60_000);
    return `You’ve reached the hour’s limit. The next reels begin ${minutes > 0 ? `in ${exactNumber(minutes)} min` : "soon"}.`;
  });
  const isOpen = batches.some(({ status }) => status === "open");
  return [...new Set(sentences), ...(isOpen ? ["You can close this panel."] : [])];
}

const row = (code: string, state: HTMLElement): HTMLElement =>
  element(
    "li",
    { class: "row" },
    element("a", { class: "grow", href: reelAddress(code), target: "_blank", rel: "noopener" }, code),
    state,
  );

const chip = (label: string, kind = "", title?: string): HTMLElement =>
  element("span", { class: `chip ${kind}`.trim(), title }, label);

function rowOf(link: BatchLink): HTMLElement {
  const { url, status, progress = 0, cached, error } = link;
  const code = codeIn(url) ?? url;
  if (status === "failed") return row(code, chip("Failed", "bad", error?.message));
  if (status === "done") return row(code, chip(cached ? "Free" : "Done", "ok"));
  if (status === "canceled") return row(code, chip("Canceled"));
  return row(code, chip(status === "running" ? `${Math.round(progress * 100)} %` : "Waiting"));
}
