import { beginningOf, draftOffer, linkState, typographic, waitSentence } from "@reelscript/contract/values";
import type { Output } from "@reelscript/client/core";
import { meter, note } from "../interface/controls.ts";
import { cue } from "../interface/cue.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { counted, exactNumber } from "../interface/format.ts";
import { codeIn, reelAddress } from "../platform/page-location.ts";
import type { Batch } from "../service/sent-reels.ts";

export type BatchLink = Batch["links"][number];
export type Script = Output<"searchMyScripts">["scripts"][number];

/** Shows the progress of reels; redraws only changes, so that nobody loses their place or hears a note twice. */
export function createBatchProgress() {
  const sentence = element("p", { role: "status" });
  const bar = meter("Reels transcribed", "voice");
  const wait = element("div");
  const rows = element("ol", { class: "script-rows" });
  const lastKeys = { rows: "", waits: "" };
  return {
    summary: element("div", { class: "collecting" }, sentence, bar.node),
    /** Shows what is being waited for, or what went wrong. */
    wait,
    rows,
    /** `unsent`: codes of reels that the service doesn't have yet; `scripts`: those of finished reels by their ids. */
    show(batches: readonly Batch[], unsent: readonly string[], scripts: ReadonlyMap<string, Script>): void {
      const links = batches.flatMap((batch) => batch.links);
      const ended = links.reduce((sum, link) => sum + shareOf(link), 0);
      bar.set(ended / Math.max(1, links.length + unsent.length));
      const text = summaryOf(links, unsent.length);
      if (text !== sentence.textContent) sentence.textContent = text;
      const key = JSON.stringify([links, unsent, scripts.size]);
      if (key === lastKeys.rows) return;
      lastKeys.rows = key;
      fill(
        rows,
        ...links.map((link) => rowOf(link, scripts.get(link.scriptId ?? ""))),
        ...unsent.map((code) => unsentRow(code)),
      );
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
  const sentences = batches.flatMap((batch) => waitSentence(batch) ?? []);
  const isOpen = batches.some(({ status }) => status === "open");
  return [...new Set(sentences), ...(isOpen ? ["You can close this panel."] : [])];
}

interface Row {
  readonly code: string;
  /** The first words, once they are known. */
  readonly words?: string | undefined;
  readonly script?: Script | undefined;
  readonly state: string;
}

function row({ code, words, script, state }: Row): HTMLElement {
  const address = reelAddress(code);
  return element(
    "li",
    {},
    cue(address, script?.transcript ?? "", script?.language),
    element(
      "div",
      {},
      element(
        "a",
        {
          class: words === undefined ? "words one-line" : "words clamped",
          href: address,
          target: "_blank",
          rel: "noopener",
          dir: "auto",
          lang: script?.language,
        },
        words ?? code,
      ),
      element(
        "div",
        { class: "meta row wrap" },
        script?.account !== undefined && element("b", {}, element("bdi", {}, `@${script.account}`)),
        element("span", {}, state),
      ),
    ),
  );
}

const unsentRow = (code: string): HTMLElement => row({ code, state: "Not sent" });

function rowOf(link: BatchLink, script: Script | undefined): HTMLElement {
  const { url, error } = link;
  return row({
    code: codeIn(url) ?? url,
    words: script && (beginningOf(script.transcript) || "No speech in this reel"),
    script,
    state: error === undefined ? linkState(link) : typographic(draftOffer(error.message).text),
  });
}
