import type { CompetitorReport, ReelCollection, Usage } from "@reelscript/contract";
import { button, linkButton, note } from "../interface/controls.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { counted, roughNumber, share, shortNumber } from "../interface/format.ts";
import { mostReels } from "../messages/page-messages.ts";
import { call, asCallError } from "../service/call.ts";
import { readSentReels } from "../service/sent-reels.ts";
import { dropPending, keepPending, readPending, toCollection } from "../service/pending-reports.ts";
import { actButton } from "./act-button.ts";
import { createCollectingPart } from "./collecting-part.ts";
import type { PanelParts, Screen } from "./screen.ts";
import { refusedPart, unsentNote } from "./unsent-collection.ts";
import { createSelectPart } from "./select-part.ts";
import { createTimezonePart } from "./timezone-part.ts";

/** A short form of a report; the dashboard shows all of it. */
function reportPart({ metrics, insights, reelsAnalyzed = 0 }: CompetitorReport): HTMLElement {
  const fact = (name: string, value: number | undefined, format: (value: number) => string): Node =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value === undefined ? "–" : format(value)));
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
      fact("Typical views", metrics.medianViews, shortNumber),
      fact("Typical likes", metrics.medianLikes, shortNumber),
      fact("Engagement", metrics.avgEngagementRate, share),
      fact("Reels a week", metrics.postingFrequencyPerWeek, roughNumber),
    ),
    element("ul", { class: "takeaways" }, ...insights.slice(0, 4).map((insight) => element("li", {}, insight))),
  );
}

type Step = "offer" | "collecting" | "sending" | "sent" | "choosing";

/** On a profile: a report of it, or reels of it to transcribe. */
export function createProfileScreen(handle: string, parts: PanelParts): Screen {
  const node = element("main");
  const heading = element("h2", {}, "@", element("bdi", {}, handle));
  let step: Step = "offer";
  let choice: ReturnType<typeof createSelectPart> | undefined;
  let timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
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
    const zone = await createTimezonePart(handle);
    const collectIn = (): void => collect(zone.value());
    const more = [...(await sentReelsNodes(() => chooseReels(true))), ...notes];
    enter(
      "offer",
      heading,
      ...offerNodes(handle, parts.usage()?.posts, [zone.node, ...more], { collect: collectIn, chooseReels }),
    );
  }

  function collect(zone: string): void {
    timezone = zone;
    enter("collecting", heading, collecting.node);
    parts.tell({ type: "collect", handle });
  }

  async function send(collection: ReelCollection): Promise<void> {
    parts.tell({ type: "forget" });
    enter(
      "sending",
      heading,
      note("plain", paragraph(`Sending ${counted(collection.reels.length, "reel", "reels")}…`)),
    );
    // Stored first, because the tab, the network or the plan may end before the service has it.
    await keepPending(collection);
    try {
      // A lost response must not create a second report of the same reels.
      const idempotencyKey = `report-${handle}-${collection.collectedAt}`;
      const report = await call("importReport", collection, { idempotencyKey });
      await dropPending(collection);
      enter("sent", heading, reportPart(report), sentActions(report, parts.connection.baseUrl, offer));
      void parts.renewUsage();
    } catch (error) {
      const refused = refusedPart(collection, asCallError(error), parts.connection.baseUrl, unsentActions);
      enter("offer", heading, refused, button("Back", offer, { kind: "quiet" }));
    }
  }

  const unsentActions = { send, onDiscard: offer };

  function chooseReels(isSent = false): void {
    choice = createSelectPart(parts, {
      handle,
      isSent,
      show: (part) => enter("choosing", heading, part),
      leave: () => void offer(),
    });
  }

  // A panel that is reopened on the profile shows the progress of its reels.
  void readSentReels().then((sentReels) => (sentReels?.handle === handle ? chooseReels(true) : offer()));
  return {
    node,
    isBusy: () => step === "collecting" || step === "sending" || (step === "choosing" && choice?.isBusy() === true),
    hear(message) {
      if (message.type === "selection") choice?.choose(message.codes);
      if (step !== "collecting" || !("handle" in message) || message.handle !== handle) return;
      if (message.type === "collecting") collecting.show(message);
      else if (message.type === "collected" && message.reels.length > 0 && !collecting.isStuck())
        void send(toCollection(handle, timezone, message.reels));
    },
    leave() {
      parts.tell({ type: "forget" });
      parts.tell({ type: "select", isOn: false });
      choice?.stop();
    },
  };
}

async function sentReelsNodes(show: () => void): Promise<Node[]> {
  const sentReels = await readSentReels();
  return sentReels === undefined ? [] : [button("Show sent reels", show, { kind: "quiet" })];
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
    paragraph(
      `A report needs the reels that this page loads: their views, likes, comments and dates, up to ${mostReels} reels.`,
    ),
    paragraph(left === undefined ? "" : `${counted(left, "post", "posts")} left to analyze on your plan.`, "meta"),
    actButton(`Analyze @${handle}`, actions.collect, { isLarge: true, icon: "chart" }),
    button("Select reels", actions.chooseReels, { kind: "quiet", icon: "check" }),
    ...notes,
    paragraph(
      "Reelscript scrolls at a human pace and reads only what the page loads for you. When it is done, the reels go to your service and nowhere else.",
      "hint",
    ),
  ];
}

const sentActions = ({ id }: CompetitorReport, baseUrl: string, back: () => Promise<void>): HTMLElement =>
  element(
    "div",
    { class: "row wrap at-bottom" },
    linkButton("Open report", `${baseUrl}/app/reports/${id}`, { icon: "open", isGrowing: true }),
    button("Back", back, { kind: "quiet" }),
  );
