import { element, fill } from "../interface/element.ts";
import { logo } from "../interface/logo.ts";
import { gridTiles } from "./grid.ts";

const settleMilliseconds = 200;

/**
 * Marks over reels that are in the library, and boxes over reels to select. They are drawn in a layer of their own, so the
 * page's own document never says which reels those are.
 */
export function createMarks(
  root: ShadowRoot,
  needs: {
    readonly isInLibrary: (code: string) => boolean;
    readonly onSeen: (codes: readonly string[]) => void;
    readonly onSelect: (codes: readonly string[]) => void;
  },
) {
  const layer = element("div", { class: "marks" });
  root.prepend(layer);
  const selected = new Set<string>();
  let isSelecting = false;
  let isAwaited = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw(): void {
    isAwaited = false;
    const shown = [];
    for (const { code, link } of gridTiles()) {
      const { top, left, width, height } = link.getBoundingClientRect();
      if (width < 40 || top > innerHeight || top + height < 0) continue;
      const marks = [];
      if (isSelecting) marks.push(tileOf(code, width, height));
      // On small tiles there is no room for both.
      if (needs.isInLibrary(code) && !(isSelecting && width < 80)) marks.push(markOf());
      for (const mark of marks) {
        mark.style.translate = `${left}px ${top}px`;
        shown.push(mark);
      }
    }
    fill(layer, ...shown);
  }

  function tileOf(code: string, width: number, height: number): HTMLElement {
    const tile = element("button", {
      type: "button",
      class: "tile",
      "aria-pressed": String(selected.has(code)),
      "aria-label": `Select reel ${code}`,
      onClick: (event: Event) => {
        if (!event.isTrusted) return;
        event.preventDefault();
        if (!selected.delete(code)) selected.add(code);
        tile.setAttribute("aria-pressed", String(selected.has(code)));
        needs.onSelect([...selected]);
      },
    });
    tile.style.inlineSize = `${width}px`;
    tile.style.blockSize = `${height}px`;
    return tile;
  }

  function request(): void {
    if (isAwaited) return;
    isAwaited = true;
    requestAnimationFrame(draw);
  }

  function look(): void {
    needs.onSeen(gridTiles().map(({ code }) => code));
    request();
  }

  addEventListener("scroll", request, { passive: true, capture: true });
  addEventListener("resize", request, { passive: true });
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(look, settleMilliseconds);
  }).observe(document.documentElement, { childList: true, subtree: true });

  return {
    request,
    look,
    select(isOn: boolean): void {
      isSelecting = isOn;
      selected.clear();
      needs.onSelect([]);
      draw();
    },
  };
}

const markOf = (): HTMLElement =>
  element("span", { class: "mark", role: "img", "aria-label": "In your Reelscript library" }, logo(20, "#1d1820"));
