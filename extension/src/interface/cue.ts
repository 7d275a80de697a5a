import { cueLines, gelOf, isRightToLeft } from "@reelscript/contract/values";
import { drawing, element } from "./element.ts";

/** A reel's words as lines, as in the dashboard. Decorates text, so screen readers skip it. */
export const cue = (id: string, text: string, language?: string): HTMLElement =>
  element(
    "span",
    { class: `cue ${gelOf(id)}${isRightToLeft(language) ? " right-to-left" : ""}`, "aria-hidden": "true" },
    drawing("0 0 36 64", {}, [
      {
        d: cueLines(text)
          .map(({ x, y, width }) => `M${x} ${y}h${width}`)
          .join(""),
      },
    ]),
  );
