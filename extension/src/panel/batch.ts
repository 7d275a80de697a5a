import { button, linkButton, meter, note } from "../interface/controls.ts";
import { element, fill } from "../interface/element.ts";
import { counted, exactNumber, moment } from "../interface/format.ts";
import { reelAddress } from "../platform/place.ts";
import { toTrouble, type Trouble } from "../service/call.ts";
import { pause } from "../service/follow-transcription.ts";
import { transcribe } from "../service/transcribe.ts";
import type { PanelParts } from "./screen.ts";

type State =
  | { readonly kind: "waiting" }
  | { readonly kind: "working"; readonly share: number }
  | { readonly kind: "unsent" }
  | { readonly kind: "done"; readonly isFree: boolean }
  | { readonly kind: "failed"; readonly trouble: Trouble };

/** Seconds to wait where the service does not say. */
const usualWait = 30;
const mostTries = 20;
/** After these the rest would fail in the same way. */
const endingCodes: ReadonlySet<string> = new Set(["limitReached", "unauthorized"]);
const passingCodes: ReadonlySet<string> = new Set(["rateLimited", "inProgress", "unavailable", "unreachable"]);

/** Transcribes reels one after another. Where the service asks to wait, it waits, visibly. */
export function createBatch(codes: readonly string[], parts: PanelParts, leave: () => void) {
  const states = new Map<string, State>(codes.map((code) => [code, { kind: "waiting" }]));
  const controller = new AbortController();
  const { signal } = controller;
  const bar = meter("Reels transcribed", "voice");
  const summary = element("p", { role: "status" });
  const wait = element("div");
  const rows = element("ol", { class: "batch" });
  const actions = element("div", { class: "row wrap" });
  const node = element("div", { class: "collecting grow" }, summary, bar.node, wait, actions, rows);
  let isBusy = true;

  function enter(code: string, state: State): void {
    states.set(code, state);
    show();
  }

  function show(): void {
    const all = [...states.values()];
    const done = all.filter(({ kind }) => kind === "done").length;
    const failed = all.filter(({ kind }) => kind === "failed").length;
    const share = all.reduce(
      (sum, one) => sum + (one.kind === "working" ? one.share : Number(one.kind === "done" || one.kind === "failed")),
      0,
    );
    bar.set(share / Math.max(1, all.length));
    const failures = failed > 0 ? `, ${exactNumber(failed)} failed` : "";
    summary.textContent = `${exactNumber(done)} of ${counted(all.length, "reel", "reels")} transcribed${failures}`;
    fill(rows, ...[...states].map(([code, state]) => rowOf(code, state)));
  }

  async function work(code: string): Promise<void> {
    for (let tries = 1; ; tries += 1)
      try {
        enter(code, { kind: "working", share: 0 });
        const result = await transcribe(code, ({ share }) => enter(code, { kind: "working", share }), signal);
        return enter(code, { kind: "done", isFree: result.cached });
      } catch (error) {
        signal.throwIfAborted();
        const trouble = toTrouble(error);
        if (!passingCodes.has(trouble.code) || tries >= mostTries) {
          enter(code, { kind: "failed", trouble });
          if (endingCodes.has(trouble.code)) throw trouble;
          return;
        }
        enter(code, { kind: "waiting" });
        await countDown(wait, trouble, signal);
      }
  }

  async function run(): Promise<void> {
    try {
      for (const code of codes) {
        await work(code);
        parts.renewUsage();
        parts.tell({ type: "library" });
      }
      fill(wait);
    } catch (error) {
      const stopped = "Stopped. Reels already sent are still being transcribed and will be in your library.";
      fill(wait, note("warn", element("p", {}, signal.aborted ? stopped : toTrouble(error).message)));
    }
    isBusy = false;
    for (const [code, { kind }] of states) if (kind === "waiting") states.set(code, { kind: "unsent" });
    fill(
      actions,
      linkButton("Open library", `${parts.connection.baseUrl}/app/library`, { kind: "ink", icon: "library" }),
      button("Back", leave, { kind: "quiet" }),
    );
    show();
  }

  const stop = (): void => controller.abort(new Error("stopped"));
  fill(actions, button("Stop", stop, { kind: "quiet", icon: "stop", isGrowing: true }));
  show();
  void run();
  return { node, stop, isBusy: () => isBusy };
}

/** Counts down what the service asked to wait. */
async function countDown(node: HTMLElement, trouble: Trouble, signal: AbortSignal): Promise<void> {
  const { retryAfter = usualWait, code } = trouble;
  const until = Date.now() + retryAfter * 1_000;
  const why =
    code === "rateLimited"
      ? "You've reached the limit of transcriptions per hour."
      : "The service can't take the next reel right now.";
  for (let left = retryAfter; left > 0; left = Math.ceil((until - Date.now()) / 1_000)) {
    fill(node, note("plain", element("p", {}, `${why} Continuing in ${moment(left)}.`)));
    await pause(signal, 1_000);
  }
  fill(node);
}

function rowOf(code: string, state: State): HTMLElement {
  const link = element("a", { class: "grow", href: reelAddress(code), target: "_blank", rel: "noopener" }, code);
  return element("li", {}, link, chipOf(state));
}

function chipOf(state: State): HTMLElement {
  switch (state.kind) {
    case "waiting":
      return element("span", { class: "chip" }, "Waiting");
    case "working":
      return element("span", { class: "chip" }, `${Math.round(state.share * 100)} %`);
    case "unsent":
      return element("span", { class: "chip" }, "Not sent");
    case "done":
      return element("span", { class: "chip ok" }, state.isFree ? "Free" : "Done");
    case "failed":
      return element("span", { class: "chip bad", title: state.trouble.message }, "Failed");
  }
}
