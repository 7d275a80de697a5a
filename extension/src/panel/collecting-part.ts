import { gelOf } from "@reelscript/contract/values";
import { button, note } from "../interface/controls.ts";
import { actButton } from "./act-button.ts";
import { element, fill, paragraph } from "../interface/element.ts";
import { exactNumber } from "../interface/format.ts";
import { mostReels, type Collecting, type CollectTrouble, type FromPanel } from "../messages/page-messages.ts";

const troubleTexts: Record<CollectTrouble, string> = {
  login: "The platform wants you to log in before it shows more. Log in, come back to this profile, and continue.",
  rateLimited:
    "The platform asks you to wait a few minutes. What you collected is kept here. Continue later, or use what you have.",
  private: "This account is private, and the page shows none of its reels.",
  empty: "This page shows no reels. If the account has some, open its Reels tab and try again.",
  drift:
    "The platform has changed how its pages load reels, and this version of the extension can’t read them. Nothing was sent. Check for an update.",
  offline: "You’re offline. What you collected is kept here. Continue when you’re connected.",
  left: "You left the profile. Go back to it to continue, or use what you have.",
};

/** Shows the progress of collecting, with buttons for possible next steps. */
export function createCollectingPart(
  handle: string,
  needs: { readonly tell: (message: FromPanel) => void; readonly use: () => void; readonly leave: () => void },
) {
  const figure = element("b", { class: "figure" }, "0");
  const unit = element("span", { class: "meta" }, `reels read, at most ${mostReels}`);
  const cues = element("div", { class: "cues", "aria-hidden": "true" });
  const trouble = element("div");
  const actions = element("div", { class: "row wrap at-bottom" });
  const node = element(
    "div",
    { class: "collecting grow" },
    element("p", { class: "row", role: "status" }, figure, unit),
    cues,
    trouble,
    paragraph("We scroll at a human pace and read only what the page loads for you. Keep this tab open.", "hint"),
    actions,
  );
  let lastKey = "";
  let isStuck = false;

  function show({ state, codes, trouble: hindrance }: Collecting): void {
    figure.textContent = exactNumber(codes.length);
    unit.textContent = codes.length === 1 ? `reel read, at most ${mostReels}` : `reels read, at most ${mostReels}`;
    fill(cues, ...codes.map((code) => element("span", { class: `cue ${gelOf(code)}` })));
    isStuck = state === "done" && (hindrance === "drift" || codes.length === 0);
    const key = `${state} ${hindrance} ${codes.length}`;
    if (key === lastKey) return;
    lastKey = key;
    fill(trouble, hindrance && note(hindrance === "drift" ? "bad" : "warn", paragraph(troubleTexts[hindrance])));
    const focusedText = document.activeElement?.textContent;
    fill(actions, ...actionsOf(state, codes.length));
    // The buttons are new, but the focus stays in place.
    for (const one of actions.querySelectorAll("button")) if (one.textContent === focusedText) one.focus();
  }

  function actionsOf(state: Collecting["state"], count: number): Node[] {
    const { tell, use, leave } = needs;
    const back = button("Back", leave, { kind: "quiet", isGrowing: true });
    if (state === "done")
      return isStuck
        ? [actButton("Try again", () => tell({ type: "collect", handle }), { isGrowing: true }), back]
        : [];
    const stop =
      count > 0
        ? actButton(`Stop and use ${exactNumber(count)}`, use, { kind: "quiet", isGrowing: true })
        : button("Stop", leave, { kind: "quiet", isGrowing: true });
    if (state === "paused")
      return [button("Continue", () => tell({ type: "resume" }), { isGrowing: true, icon: "play" }), stop];
    return [button("Pause", () => tell({ type: "pause" }), { kind: "quiet", isGrowing: true, icon: "pause" }), stop];
  }

  return { node, show, isStuck: () => isStuck };
}
