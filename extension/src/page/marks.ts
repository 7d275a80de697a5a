import { element, fill, logo } from "../interface/element.ts";
import { browser } from "@wxt-dev/browser";
import { isLibraryAnswer } from "../messages/page-messages.ts";
import { codeIn } from "../platform/page-location.ts";

const settleMilliseconds = 200;

/**
 * Marks over reels in the library, and boxes over reels to select. They are drawn in a separate layer, so the page's own
 * document never reveals which reels those are.
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
    const visibleMarks = [];
    for (const { code, link } of gridTiles()) {
      const { top, left, width, height } = link.getBoundingClientRect();
      if (width < 40 || top > innerHeight || top + height < 0) continue;
      const marks = [];
      if (isSelecting) marks.push(tileOf(code, width, height));
      // Small tiles have no room for both.
      if (needs.isInLibrary(code) && !(isSelecting && width < 80)) marks.push(markOf());
      for (const mark of marks) {
        mark.style.translate = `${left}px ${top}px`;
        visibleMarks.push(mark);
      }
    }
    fill(layer, ...visibleMarks);
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

const mostCodes = 2_000;

/** The reels on the page that are in the person's library, as far as the extension has been asked. */
export function createOwnReels(onLearned: () => void) {
  const storedCodes = new Set<string>();
  const requestedCodes = new Set<string>();
  return {
    has: (code: string): boolean => storedCodes.has(code),
    /** Asks the extension's background, which looks the reels up in its storage. */
    async ask(codes: readonly string[]): Promise<void> {
      const fresh = codes.filter((code) => !requestedCodes.has(code)).slice(0, mostCodes);
      if (fresh.length === 0) return;
      for (const code of fresh) requestedCodes.add(code);
      const answer: unknown = await browser.runtime.sendMessage({ type: "inLibrary", codes: fresh }).catch(() => []);
      if (!isLibraryAnswer(answer) || answer.length === 0) return;
      for (const code of answer) storedCodes.add(code);
      onLearned();
    },
    forget(): void {
      requestedCodes.clear();
      storedCodes.clear();
    },
  };
}

interface Tile {
  readonly code: string;
  readonly link: HTMLAnchorElement;
}

/** The reels that the page shows in a grid: links with a picture in them. */
export function gridTiles(): readonly Tile[] {
  const tiles: Tile[] = [];
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href*="/reel/"], a[href*="/p/"]')) {
    if (link.querySelector("img, video, [style*='background']") === null) continue;
    const code = codeIn(link.href);
    if (code !== undefined) tiles.push({ code, link });
  }
  return tiles;
}
