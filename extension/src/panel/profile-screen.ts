import type { ReelCollection } from "@reelscript/contract";
import { button, linkButton, note } from "../interface/controls.ts";
import { element, fill } from "../interface/element.ts";
import { counted, exactNumber } from "../interface/format.ts";
import { saveFile } from "../interface/save-file.ts";
import { mostReels, type Collecting, type CollectedReel } from "../messages/page-messages.ts";
import { call, toTrouble, type Trouble } from "../service/call.ts";
import { dropPending, keepPending, readPending, toCollection } from "../service/pending-reports.ts";
import { createBatch } from "./batch.ts";
import { createCollectingPart } from "./collecting-part.ts";
import { reportPart } from "./report-part.ts";
import type { PanelParts, Screen } from "./screen.ts";
import { createSelectPart } from "./select-part.ts";
import { troubleNote } from "./trouble-note.ts";

type Step = "offer" | "collecting" | "sending" | "sent" | "selecting" | "batch";

/** On a profile: a report of it, or reels of it to transcribe. */
export function createProfileScreen(handle: string, parts: PanelParts): Screen {
  const node = element("main");
  const heading = element("h2", {}, "@", element("bdi", {}, handle));
  let step: Step = "offer";
  let select: ReturnType<typeof createSelectPart> | undefined;
  let batch: ReturnType<typeof createBatch> | undefined;
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
    enter(
      "offer",
      heading,
      element(
        "p",
        {},
        `A report needs the reels that this page loads: their views, likes, comments and dates, up to ${mostReels} reels.`,
      ),
      quotaHint(),
      button(`Analyze @${handle}`, collect, { isLarge: true, icon: "chart" }),
      button("Select reels", chooseReels, { kind: "quiet", icon: "check" }),
      ...pending.map(pendingNote),
      element(
        "p",
        { class: "hint" },
        "Reelscript scrolls at a human pace and reads only what the page loads for you. Nothing leaves this browser until you send it.",
      ),
    );
  }

  function quotaHint(): HTMLElement {
    const { used = 0, limit } = parts.usage()?.posts ?? {};
    const left = limit === undefined || limit === null ? undefined : Math.max(0, limit - used);
    return element(
      "p",
      { class: "meta" },
      left === undefined ? "" : `${counted(left, "post", "posts")} left to analyze on your plan.`,
    );
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
      const report = await call("importReport", collection);
      await dropPending(collection);
      enter(
        "sent",
        heading,
        reportPart(report),
        element(
          "div",
          { class: "row wrap at-bottom" },
          linkButton("Open report", `${parts.connection.baseUrl}/app/reports/${report.id}`, {
            kind: "ink",
            icon: "open",
            isGrowing: true,
          }),
          button("Back", offer, { kind: "quiet" }),
        ),
      );
      parts.renewUsage();
    } catch (error) {
      enter("offer", heading, refusedPart(collection, toTrouble(error)), button("Back", offer, { kind: "quiet" }));
    }
  }

  function refusedPart(collection: ReelCollection, trouble: Trouble): HTMLElement {
    const plans = trouble.code === "limitReached" && [
      linkButton("See plans", `${parts.connection.baseUrl}/app/usage`, { kind: "ink" }),
    ];
    return element(
      "div",
      { class: "row wrap" },
      troubleNote(trouble),
      element(
        "p",
        {},
        `The ${counted(collection.reels.length, "reel", "reels")} you collected are kept in this browser. Nothing was counted.`,
      ),
      ...(plans || []),
      ...keptActions(collection),
    );
  }

  const keptActions = (collection: ReelCollection): Node[] => [
    button("Send again", () => send(collection), { kind: "quiet" }),
    button("Save as file", () => saveCollection(collection), { kind: "quiet", icon: "download" }),
    button(
      "Discard",
      async () => {
        await dropPending(collection);
        await offer();
      },
      { kind: "danger" },
    ),
  ];

  const pendingNote = (collection: ReelCollection): HTMLElement =>
    note(
      "warn",
      element(
        "p",
        {},
        `${counted(collection.reels.length, "reel", "reels")} from ${new Date(collection.collectedAt).toLocaleString()} were not sent.`,
      ),
      element("div", { class: "row wrap" }, ...keptActions(collection)),
    );

  function chooseReels(): void {
    select = createSelectPart({
      usage: parts.usage(),
      begin: (codes) => {
        parts.tell({ type: "select", isOn: false });
        batch = createBatch(codes, parts, () => void offer());
        enter("batch", heading, batch.node);
      },
      cancel: () => {
        parts.tell({ type: "select", isOn: false });
        void offer();
      },
    });
    enter("selecting", heading, select.node);
    parts.tell({ type: "select", isOn: true });
  }

  void offer();
  return {
    node,
    isBusy: () => step === "collecting" || step === "sending" || (step === "batch" && batch?.isBusy() === true),
    hear(message) {
      if (message.type === "collecting") heardCollecting(message);
      else if (message.type === "collected" && message.handle === handle) heardCollected(message.reels);
      else if (message.type === "selection") select?.choose(message.codes);
    },
    leave() {
      parts.tell({ type: "forget" });
      parts.tell({ type: "select", isOn: false });
      batch?.stop();
    },
  };
}

/** The file is what the dashboard imports. */
function saveCollection(collection: ReelCollection): void {
  const day = collection.collectedAt.slice(0, 10);
  saveFile(
    `${collection.handle}-${day}-${exactNumber(collection.reels.length)}-reels.json`,
    "application/json",
    JSON.stringify(collection, null, 2),
  );
}
