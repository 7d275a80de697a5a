import { element, fill } from "../interface/element.ts";
import { logo } from "../interface/logo.ts";
import type { Place } from "../platform/place.ts";

/**
 * The button on the page that opens the panel. Pages can search and select text in a closed shadow root, and find out where the
 * button is, so its label is no text, and all reels have a button of the same size.
 */
export function createLauncher(root: ShadowRoot, open: () => void) {
  const button = element("button", {
    type: "button",
    class: "launcher",
    hidden: true,
    onClick: (event: Event) => {
      // A page may click what it cannot see; only people's clicks count.
      if (event.isTrusted) open();
    },
  });
  root.append(button);
  return {
    show(place: Place, isInLibrary: boolean): void {
      const label = labelOf(place, isInLibrary);
      button.hidden = label === undefined;
      if (label === undefined) return;
      button.setAttribute("aria-label", label);
      button.dataset["kind"] = place.kind;
      fill(button, logo(22, "var(--ink)", "var(--sheet)"), element("span", { "data-label": label }));
    },
    hide: (): void => void (button.hidden = true),
  };
}

function labelOf(place: Place, isInLibrary: boolean): string | undefined {
  if (place.kind === "profile") return `Analyze @${place.handle}`;
  if (place.kind === "reel") return isInLibrary ? "In your library" : "Transcribe";
  return undefined;
}
