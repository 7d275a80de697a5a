import type { FullScript } from "@reelscript/contract";
import { button, linkButton } from "../interface/controls.ts";
import { element, fill, paragraph, saveFile, scrollBehavior } from "../interface/element.ts";
import { asCallError, connected } from "../service/call.ts";
import { piecesOf, timedLines, type TimedLine } from "./timed-lines.ts";
import type { PanelParts } from "./screen.ts";
import { CallError } from "@reelscript/client/core";
import { clock, peopleBasePath, typographic } from "@reelscript/contract/values";

/** A script as SubRip subtitles, with the file name from the service. Throws `CallError`. */
const readSubtitles = (id: string): Promise<{ readonly name: string; readonly text: string }> =>
  connected(async ({ baseUrl, token }) => {
    const failed = (cause?: unknown) =>
      new CallError("unavailable", "The subtitles couldn’t be loaded. Try again.", { cause });
    const response = await fetch(`${baseUrl}${peopleBasePath}/scripts/${encodeURIComponent(id)}?format=srt`, {
      headers: { authorization: `Bearer ${token}` },
      credentials: "omit",
      redirect: "error",
    }).catch((error: unknown) => {
      throw failed(error);
    });
    if (!response.ok) throw failed();
    const fileName = /filename="([A-Za-z0-9._-]{1,200})"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    return { name: fileName ?? "transcript.srt", text: await response.text() };
  });

/** A transcript that follows the video: word by word if word times are known, else line by line. */
export function createScriptPart(script: FullScript, parts: PanelParts, isFree: boolean) {
  const status = element("p", { class: "hint", role: "status" });
  const rows = timedLines(script).map((line) =>
    createRow(line, script.language, () => parts.tell({ type: "seek", at: line.start })),
  );
  const list = element("ol", { class: "segments" }, ...rows.map(({ row }) => element("li", {}, row)));
  let at: number | undefined;
  let query = "";
  let lastRow = -1;

  function draw(): void {
    for (const { line, row, words } of rows) {
      const isNow = at !== undefined && at >= line.start && at < line.end;
      row.setAttribute("aria-current", String(isNow));
      fill(words, ...piecesOf(line, isNow ? at : undefined, query).map(pieceNode));
    }
  }

  function search(text: string): void {
    query = text;
    draw();
    const hits = list.querySelectorAll("mark");
    status.textContent = text.trim() === "" ? "" : hits.length === 0 ? `“${text.trim()}” isn’t said in this reel.` : "";
    hits[0]?.scrollIntoView({ block: "nearest" });
  }

  async function saveSubtitles(): Promise<void> {
    try {
      const { name, text } = await readSubtitles(script.id);
      saveFile(name, "application/x-subrip", text);
    } catch (error) {
      status.textContent = typographic(asCallError(error).message);
    }
  }

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(script.transcript);
      status.textContent = "Copied.";
    } catch {
      status.textContent = "Your browser blocked copying.";
    }
  }

  const input = element("input", {
    class: "input",
    type: "search",
    placeholder: "Search in this reel",
    "aria-label": "Search in this reel",
    onInput: () => search(input.value),
  });
  const hasWords = script.transcript !== "";
  const node = element(
    "div",
    { class: "collecting grow" },
    element("div", { class: "row wrap" }, ...headerOf(script, isFree)),
    hasWords && element("div", { class: "find" }, input),
    hasWords ? list : paragraph("No speech in this reel."),
    status,
    element(
      "div",
      { class: "row wrap at-bottom" },
      hasWords && button("Copy", copy, { icon: "copy", isGrowing: true }),
      hasWords && button("SRT", saveSubtitles, { kind: "quiet", icon: "download" }),
      linkButton("Open in library", `${parts.connection.baseUrl}/app/scripts/${script.id}`, {
        kind: "quiet",
        isGrowing: true,
      }),
    ),
  );
  draw();

  return {
    node,
    follow(now: number, isPlaying: boolean): void {
      at = now;
      draw();
      const current = rows.findIndex(({ row }) => row.getAttribute("aria-current") === "true");
      if (current !== lastRow && current >= 0 && isPlaying && query === "")
        rows[current]?.row.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
      lastRow = current;
    },
  };
}

function createRow(line: TimedLine, language: string | undefined, seek: () => void) {
  const words = element("p", { lang: language, dir: "auto" });
  const row = element("button", { type: "button", onClick: seek }, element("time", {}, clock(line.start)), words);
  return { line, row, words };
}

function headerOf({ account, language }: FullScript, isFree: boolean): Node[] {
  const names = new Intl.DisplayNames(undefined, { type: "language", fallback: "code" });
  const spoken = language === undefined || language === "und" ? undefined : names.of(language);
  return [
    ...(account === undefined ? [] : [element("h2", {}, "@", element("bdi", {}, account))]),
    ...(spoken === undefined ? [] : [element("span", { class: "chip" }, spoken)]),
    ...(isFree ? [element("span", { class: "chip ok" }, "Free, already transcribed")] : []),
  ];
}

function pieceNode({ text, kind }: ReturnType<typeof piecesOf>[number]): Node | string {
  if (kind === "hit") return element("mark", {}, text);
  return kind === "now" ? element("span", { class: "said" }, text) : text;
}
