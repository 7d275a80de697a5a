import { clock, type DraftableLinks, draftableLinks, languages } from "@reelscript/contract/values";
import { button, linkButton, note, troubleNote } from "../interface/controls.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { exactNumber } from "../interface/format.ts";
import { codeIn } from "../platform/page-location.ts";
import { sleepFor, type AnyOperationName, type Core, type Wait } from "@reelscript/client/core";
import { asCallError, call, connected, serviceAt } from "../service/call.ts";
import type { Connection } from "../service/connection.ts";
import { keepScripts } from "../service/library.ts";
import {
  forgetSentReels,
  readBatches,
  readSentReels,
  sendDrafts,
  sendUnsent,
  type Batch,
} from "../service/sent-reels.ts";
import { actButton } from "./act-button.ts";
import { createBatchProgress, type BatchLink } from "./batch-progress.ts";
import { createBatchWords } from "./batch-words.ts";
import type { PanelParts } from "./screen.ts";

const secondsBetweenLooks = 3;

type Phase = "sending" | "following" | "stopped" | "ended";

interface BatchPartOptions {
  /** True if the person has just pressed the button that sends; a reopened panel sends nothing automatically. */
  readonly isSending: boolean;
  readonly leave: () => void;
}

/** Progress of the reels that were sent in batches. The service continues without the panel. */
export function createBatchPart(parts: PanelParts, { isSending, leave }: BatchPartOptions) {
  const progress = createBatchProgress();
  const actions = createBatchActions(parts.connection, {
    stop: () => void run(false),
    send: () => run(true),
    retry: () => change(() => changeBatches("retryBatch", batches)),
    again: () => run(false),
    cancel: () => change(() => changeBatches("cancelBatch", batches)),
    draft: () => change(() => requestDrafts(batches)),
    leave: () => goBack(),
  });
  const content = [progress.summary, progress.wait, actions.node, progress.rows];
  const node = element("div", { class: "collecting grow" }, ...content);
  let batches: readonly Batch[] = [];
  let unsent: readonly string[] = [];
  let phase: Phase = "following";
  let controller = new AbortController();
  const doneCodes = new Set<string>();
  const words = createBatchWords();

  function show(): void {
    progress.show(batches, unsent, words.scripts);
    actions.show(offersOf(phase, { batches, unsent }, parts));
  }

  async function look(service: Core<AnyOperationName>, signal: AbortSignal): Promise<boolean> {
    batches = await readBatches(service, signal);
    unsent = (await readSentReels())?.unsent ?? [];
    if (await keepDone(batches, doneCodes)) {
      parts.tell({ type: "library" });
      void parts.renewUsage();
    }
    progress.showWaits(batches);
    show();
    await words.read(service, batches, show, signal);
    return batches.some(({ status }) => status === "open");
  }

  async function work(connection: Connection, sends: boolean, signal: AbortSignal): Promise<void> {
    const service = serviceAt(connection, countedWaits(progress, signal));
    if (sends) await sendUnsent(service, signal);
    phase = "following";
    // oxlint-disable-next-line no-await-in-loop -- each look follows the one before
    while (await look(service, signal)) await sleepFor(secondsBetweenLooks, signal);
    phase = "ended";
    // Whether a retry can help depends on the remaining quota.
    await parts.renewUsage();
  }

  async function run(sends: boolean): Promise<void> {
    controller.abort(new Error("begun again"));
    controller = new AbortController();
    const { signal } = controller;
    phase = sends ? "sending" : "following";
    progress.clearWait();
    unsent = (await readSentReels())?.unsent ?? [];
    show();
    try {
      await connected((connection) => work(connection, sends, signal));
      // The service keeps none of the batches anymore.
      if (batches.length + unsent.length === 0) return await goBack();
    } catch (error) {
      // The panel was closed, or follows again.
      if (signal.aborted) return;
      phase = "stopped";
      fill(progress.wait, troubleNote(asCallError(error)));
    }
    show();
  }

  /** Sends a change to the service, and follows the batch again. */
  async function change(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      await run(false);
    } catch (error) {
      fill(progress.wait, troubleNote(asCallError(error)));
    }
  }

  async function goBack(): Promise<void> {
    stop();
    if (unsent.length === 0 && batches.every(({ status }) => status === "finished")) await forgetSentReels();
    leave();
  }

  const stop = (): void => controller.abort(new Error("left"));
  void run(isSending);
  return { node, stop, isBusy: () => phase === "sending" };
}

interface Offers {
  readonly stop: boolean;
  readonly send: boolean;
  /** The text of the button that retries; undefined hides it. */
  readonly retry: string | undefined;
  readonly again: boolean;
  readonly cancel: boolean;
  /** The text of the button that requests rough drafts; undefined hides it. */
  readonly draft: string | undefined;
  readonly leave: boolean;
}

function offersOf(
  phase: Phase,
  { batches, unsent }: { readonly batches: readonly Batch[]; readonly unsent: readonly string[] },
  parts: Pick<PanelParts, "usage">,
): Offers {
  const isSending = phase === "sending";
  const isOpen = batches.some(({ status }) => status === "open");
  return {
    stop: isSending,
    send: !isSending && unsent.length > 0,
    retry: isSending || isOpen ? undefined : retryLabelOf(batches, parts),
    again: phase === "stopped" && unsent.length === 0,
    cancel: !isSending && batches.some(({ counts }) => counts.waiting > 0),
    draft: isSending || isOpen ? undefined : draftLabelOf(draftsOf(batches)),
    leave: !isSending,
  };
}

/** Buttons, which are redrawn only if others are offered, so that a press in that moment hits its button. */
function createBatchActions(
  { baseUrl }: Connection,
  acts: { readonly [Name in keyof Offers]: () => void | Promise<void> },
) {
  const node = element("div", { class: "row wrap" });
  let lastKey = "";
  return {
    node,
    show(offers: Offers): void {
      const key = JSON.stringify(offers);
      if (key === lastKey) return;
      lastKey = key;
      fill(
        node,
        offers.stop && button("Stop", acts.stop, { kind: "quiet", icon: "stop", isGrowing: true }),
        offers.send && actButton("Send the rest", acts.send),
        offers.retry !== undefined && actButton(offers.retry, acts.retry),
        offers.draft !== undefined && actButton(offers.draft, acts.draft),
        offers.again && button("Try again", acts.again, { kind: "quiet" }),
        offers.cancel && button("Cancel the rest", acts.cancel, { kind: "quiet", icon: "stop" }),
        linkButton("Open library", `${baseUrl}/app/library`, { kind: "quiet", icon: "library" }),
        offers.leave && button("Back", acts.leave, { kind: "quiet" }),
      );
    },
  };
}

/** Cancels links that haven't started, or retries failed reels. */
async function changeBatches(name: "cancelBatch" | "retryBatch", batches: readonly Batch[]): Promise<void> {
  const changed = batches.filter(({ counts }) => (name === "cancelBatch" ? counts.waiting : counts.retryable) > 0);
  // oxlint-disable-next-line no-await-in-loop -- a caller has few places at the service
  for (const { id } of changed) await call(name, { id });
}

/** Requests rough drafts of reels whose language is refused unless it is named. */
async function requestDrafts(batches: readonly Batch[]): Promise<void> {
  for (const { language, urls } of draftsOf(batches))
    // oxlint-disable-next-line no-await-in-loop -- batches keep the order of the languages
    await connected((connection) => sendDrafts(serviceAt(connection), urls, language));
}

/** The reels that a language's name would turn into drafts, without those of which a later batch has a draft. */
function draftsOf(batches: readonly Batch[]): readonly DraftableLinks[] {
  const links = batches.flatMap((batch) => batch.links);
  return draftableLinks(
    links.filter(({ url }, index) => !links.slice(index + 1).some((later) => codeIn(later.url) === codeIn(url))),
  );
}

/** Draft in Arabic; Draft 3 reels in Arabic or Tamil */
function draftLabelOf(drafts: readonly DraftableLinks[]): string | undefined {
  if (drafts.length === 0) return undefined;
  const names = drafts.map(({ language }) => languages[language]);
  const count = drafts.reduce((sum, { urls }) => sum + urls.length, 0);
  return `Draft ${count === 1 ? "" : `${exactNumber(count)} reels `}in ${names.join(" or ")}`;
}

/** Stores new scripts for the marks. False if there are none. */
async function keepDone(batches: readonly Batch[], doneCodes: Set<string>): Promise<boolean> {
  const added = batches.flatMap(({ links }) => links.flatMap(scriptOf)).filter(([code]) => !doneCodes.has(code));
  for (const [code] of added) doneCodes.add(code);
  if (added.length > 0) await keepScripts(Object.fromEntries(added));
  return added.length > 0;
}

const scriptOf = ({ url, status, scriptId }: BatchLink): (readonly [code: string, id: string])[] =>
  status === "done" && scriptId !== undefined ? [[codeIn(url) ?? url, scriptId]] : [];

/** Retrying can't help reels that don't fit the plan. */
function retryLabelOf(batches: readonly Batch[], parts: Pick<PanelParts, "usage">): string | undefined {
  const { used = 0, limit = 1 } = parts.usage()?.transcriptions ?? {};
  const limited = batches
    .flatMap(({ links }) => links)
    .filter(({ error }) => error?.code === "limitReached" && used >= limit).length;
  const retryable = batches.reduce((sum, { counts }) => sum + counts.retryable, 0);
  if (retryable <= limited) return undefined;
  return batches.some(({ counts }) => counts.failed > 0) ? "Retry failed" : "Continue";
}

const whys: Readonly<Record<Wait["reason"], string>> = {
  rateLimited: "You’ve reached a limit of your account.",
  inProgress: "The service is busy.",
  unavailable: "The service is busy.",
  network: "The connection was lost.",
};

/** Waits visible to the person, with a countdown. */
function countedWaits(progress: ReturnType<typeof createBatchProgress>, signal: AbortSignal) {
  let reason: Wait["reason"] | undefined;
  return {
    onWait: (next: Wait): void => void (reason = next.reason),
    sleep: async (seconds: number): Promise<void> => {
      const why = reason === undefined ? "" : `${whys[reason]} `;
      const until = Date.now() + seconds * 1_000;
      for (let left = seconds; left > 0; left = Math.ceil((until - Date.now()) / 1_000)) {
        fill(progress.wait, note("plain", paragraph(`${why}Continuing in ${clock(left)}.`)));
        // oxlint-disable-next-line no-await-in-loop -- the loop redraws the countdown once a second
        await sleepFor(1, signal);
      }
      progress.clearWait();
    },
  };
}
