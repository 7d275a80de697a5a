import type { CompetitorReport, ReelCollection, Usage } from "@reelscript/contract";
import { button, linkButton, note } from "../interface/controls.ts";
import { element, fill } from "../interface/element.ts";
import { counted, roughNumber, share, shortNumber } from "../interface/format.ts";
import { mostReels, type Collecting, type CollectedReel } from "../messages/page-messages.ts";
import { call, asCallError } from "../service/call.ts";
import { dropPending, keepPending, readPending, toCollection } from "../service/pending-reports.ts";
import { createCollectingPart } from "./collecting-part.ts";
import type { PanelParts, Screen } from "./screen.ts";
import { refusedPart, unsentNote } from "./unsent-collection.ts";
import { createBatch } from "./batch.ts";
import { createSelectPart } from "./select-part.ts";

/** A report in short; the dashboard has the whole of it. */
function reportPart(report: CompetitorReport): HTMLElement {
  const { metrics, insights, reelsAnalyzed = 0 } = report;
  const facts: [string, string | undefined][] = [
    ["Typical views", known(metrics.medianViews, shortNumber)],
    ["Typical likes", known(metrics.medianLikes, shortNumber)],
    ["Engagement", known(metrics.avgEngagementRate, share)],
    ["Reels a week", known(metrics.postingFrequencyPerWeek, roughNumber)],
  ];
  return element(
    "div",
    { class: "report" },
    element(
      "p",
      { class: "row" },
      element("span", { class: "chip ok" }, "Report ready"),
      counted(reelsAnalyzed, "reel", "reels"),
    ),
    element(
      "dl",
      { class: "facts" },
      ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value ?? "–"))),
    ),
    element("ul", { class: "takeaways" }, ...insights.slice(0, 4).map((insight) => element("li", {}, insight))),
  );
}

const known = (value: number | undefined, format: (value: number) => string): string | undefined =>
  value === undefined ? undefined : format(value);

type Step = "offer" | "collecting" | "sending" | "sent" | "choosing";

/** On a profile: a report of it, or reels of it to transcribe. */
export function createProfileScreen(handle: string, parts: PanelParts): Screen {
  const node = element("main");
  const heading = element("h2", {}, "@", element("bdi", {}, handle));
  let step: Step = "offer";
  let choice: ReturnType<typeof createChoiceToTranscribe> | undefined;
  const collecting = createCollectingPart(handle, {
    tell: (message) => parts.tell(message),
    use: () => parts.tell({ type: "finish" }),
    leave: () => void offer(),
  });

  function enter(next: Step, ...children: readonly (Node | false)[]): void {
    step = next;
    fill(node, ...children);
  }

  async function offer(): Promise<void> {
    parts.tell({ type: "forget" });
    const pending = (await readPending()).filter((one) => one.handle === handle);
    const notes = pending.map((collection) => unsentNote(collection, unsentActions));
    enter("offer", heading, ...offerNodes(handle, parts.usage()?.posts, notes, { collect, chooseReels }));
  }

  function collect(): void {
    enter("collecting", heading, collecting.node);
    parts.tell({ type: "collect", handle });
  }

  function heardCollecting(state: Collecting): void {
    if (step !== "collecting" || state.handle !== handle) return;
    collecting.show(state);
  }

  function heardCollected(reels: readonly CollectedReel[]): void {
    if (step !== "collecting" || reels.length === 0 || collecting.isStuck()) return;
    void send(toCollection(handle, reels));
  }

  async function send(collection: ReelCollection): Promise<void> {
    parts.tell({ type: "forget" });
    enter(
      "sending",
      heading,
      note("plain", element("p", {}, `Sending ${counted(collection.reels.length, "reel", "reels")}…`)),
    );
    // First of all it is kept: the tab, the network or the plan may end before the service has it.
    await keepPending(collection);
    try {
      // An answer that is lost on the way must not make a second report of the same reels.
      const idempotencyKey = `report-${handle}-${collection.collectedAt}`;
      const report = await call("importReport", collection, { idempotencyKey });
      await dropPending(collection);
      enter("sent", heading, reportPart(report), sentActions(report, parts.connection.baseUrl, offer));
      parts.renewUsage();
    } catch (error) {
      const refused = refusedPart(collection, asCallError(error), parts.connection.baseUrl, unsentActions);
      enter("offer", heading, refused, button("Back", offer, { kind: "quiet" }));
    }
  }

  const unsentActions = { send, onDiscard: offer };

  function chooseReels(): void {
    choice = createChoiceToTranscribe(parts, {
      show: (part) => enter("choosing", heading, part),
      leave: () => void offer(),
    });
  }

  void offer();
  return {
    node,
    isBusy: () => step === "collecting" || step === "sending" || (step === "choosing" && choice?.isBusy() === true),
    hear(message) {
      if (message.type === "collecting") heardCollecting(message);
      else if (message.type === "collected" && message.handle === handle) heardCollected(message.reels);
      else if (message.type === "selection") choice?.choose(message.codes);
    },
    leave() {
      parts.tell({ type: "forget" });
      parts.tell({ type: "select", isOn: false });
      choice?.stop();
    },
  };
}

function offerNodes(
  handle: string,
  posts: Usage["posts"] | undefined,
  notes: readonly Node[],
  actions: { readonly collect: () => void; readonly chooseReels: () => void },
): Node[] {
  const { used = 0, limit } = posts ?? {};
  const left = limit === undefined || limit === null ? undefined : Math.max(0, limit - used);
  return [
    element(
      "p",
      {},
      `A report needs the reels that this page loads: their views, likes, comments and dates, up to ${mostReels} reels.`,
    ),
    element(
      "p",
      { class: "meta" },
      left === undefined ? "" : `${counted(left, "post", "posts")} left to analyze on your plan.`,
    ),
    button(`Analyze @${handle}`, actions.collect, { isLarge: true, icon: "chart" }),
    button("Select reels", actions.chooseReels, { kind: "quiet", icon: "check" }),
    ...notes,
    element(
      "p",
      { class: "hint" },
      "Reelscript scrolls at a human pace and reads only what the page loads for you. When it is done, the reels go to your service and nowhere else.",
    ),
  ];
}

const sentActions = ({ id }: CompetitorReport, baseUrl: string, back: () => Promise<void>): HTMLElement =>
  element(
    "div",
    { class: "row wrap at-bottom" },
    linkButton("Open report", `${baseUrl}/app/reports/${id}`, { kind: "ink", icon: "open", isGrowing: true }),
    button("Back", back, { kind: "quiet" }),
  );

/** Reels of a profile that the person chooses on the page and has transcribed. */
function createChoiceToTranscribe(
  parts: PanelParts,
  onChange: { readonly show: (node: HTMLElement) => void; readonly leave: () => void },
) {
  let batch: ReturnType<typeof createBatch> | undefined;
  const select = createSelectPart({
    usage: parts.usage(),
    begin: (codes) => {
      parts.tell({ type: "select", isOn: false });
      batch = createBatch(codes, parts, onChange.leave);
      onChange.show(batch.node);
    },
    cancel: () => {
      parts.tell({ type: "select", isOn: false });
      onChange.leave();
    },
  });
  onChange.show(select.node);
  parts.tell({ type: "select", isOn: true });

  return {
    choose: (codes: readonly string[]): void => select.choose(codes),
    isBusy: (): boolean => batch?.isBusy() === true,
    stop: (): void => batch?.stop(),
  };
}
