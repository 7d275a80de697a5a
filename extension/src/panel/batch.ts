import { clock } from "@reelscript/contract/values";
import { button, linkButton, meter, note } from "../interface/controls.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { counted, exactNumber } from "../interface/format.ts";
import { reelAddress } from "../platform/place.ts";
import { CallError, sleepFor, type Output, type Transcription, type Wait } from "@reelscript/client/core";
import { asCallError, connected, serviceAt } from "../service/call.ts";
import type { Connection } from "../service/connection.ts";
import { keepScript } from "../service/library.ts";
import type { PanelParts } from "./screen.ts";

type State =
  | { readonly kind: "waiting" }
  | { readonly kind: "working"; readonly share: number }
  | { readonly kind: "unsent" }
  | { readonly kind: "done"; readonly isFree: boolean }
  | { readonly kind: "failed"; readonly trouble: CallError };

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

  async function work({ baseUrl, token }: Connection): Promise<void> {
    let reason: Wait["reason"] | undefined;
    const service = serviceAt(
      { baseUrl, token },
      {
        onWait: (next) => (reason = next.reason),
        sleep: async (seconds) => {
          if (reason === undefined) return sleepFor(seconds, signal);
          await countDown(wait, whys[reason], seconds, signal);
          reason = undefined;
        },
      },
    );
    const addresses = new Map(codes.map((code) => [reelAddress(code), code]));
    let current = codes[0];
    const onProgress = ({ progress: share }: Transcription) => current && enter(current, { kind: "working", share });
    for (const [url, code] of addresses) {
      const transcribe = () => service.transcribe({ url }, { signal, onProgress, patient: true });
      // oxlint-disable-next-line no-await-in-loop -- the panel shows one reel after another
      enter(code, await stateAfter(code, transcribe, signal));
      current = codes[codes.indexOf(code) + 1];
      parts.renewUsage();
      parts.tell({ type: "library" });
    }
  }

  async function run(): Promise<void> {
    try {
      await connected(work);
      fill(wait);
    } catch (error) {
      const stopped = "Stopped. Reels already sent are still being transcribed and will be in your library.";
      fill(wait, note("warn", paragraph(signal.aborted ? stopped : asCallError(error).message)));
    }
    isBusy = false;
    for (const [code, { kind }] of states) if (kind === "waiting") states.set(code, { kind: "unsent" });
    fill(
      actions,
      linkButton("Open library", `${parts.connection.baseUrl}/app/library`, { icon: "library" }),
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

/** These errors are due to the reel itself; after any other, every other reel would fail in the same way. */
const codesOfReels: ReadonlySet<string> = new Set(["invalidRequest", "notFound", "internalError", "upstreamError"]);

async function stateAfter(
  code: string,
  transcribe: () => Promise<Output<"transcribeReel">>,
  signal: AbortSignal,
): Promise<State> {
  try {
    const { cached, scriptId } = await transcribe();
    if (scriptId !== undefined) await keepScript(code, scriptId);
    return { kind: "done", isFree: cached };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CallError && codesOfReels.has(error.code)) return { kind: "failed", trouble: error };
    throw error;
  }
}

const busy = "The service can't take the next reel right now.";
const whys: Readonly<Record<Wait["reason"], string>> = {
  rateLimited: "You've reached the limit of transcriptions per hour.",
  inProgress: busy,
  unavailable: busy,
  network: "The connection was lost.",
};

/** Counts down what the service asked to wait. */
async function countDown(node: HTMLElement, why: string, seconds: number, signal: AbortSignal): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  for (let left = seconds; left > 0; left = Math.ceil((until - Date.now()) / 1_000)) {
    fill(node, note("plain", paragraph(`${why} Continuing in ${clock(left)}.`)));
    await sleepFor(1, signal);
  }
  fill(node);
}

function rowOf(code: string, state: State): HTMLElement {
  const link = element("a", { class: "grow", href: reelAddress(code), target: "_blank", rel: "noopener" }, code);
  return element("li", { class: "row" }, link, chipOf(state));
}

function chipOf(state: State): HTMLElement {
  if (state.kind === "failed") return element("span", { class: "chip bad", title: state.trouble.message }, "Failed");
  if (state.kind === "done") return element("span", { class: "chip ok" }, state.isFree ? "Free" : "Done");
  if (state.kind === "working") return element("span", { class: "chip" }, `${Math.round(state.share * 100)} %`);
  return element("span", { class: "chip" }, state.kind === "waiting" ? "Waiting" : "Not sent");
}
