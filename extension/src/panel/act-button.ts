import { button, note, type ButtonOptions } from "../interface/controls.ts";
import { paragraph } from "../interface/element.ts";
import { openOwnPage } from "../interface/open-own-page.ts";

/** A page that removes its cover just before the press has shown something else until then. */
const settledMilliseconds = 500;

/** Chromium adds `isVisible` to the entries of an observer with `trackVisibility`; Firefox has neither. */
interface SightEntry extends IntersectionObserverEntry {
  readonly isVisible?: boolean;
}

const sight: IntersectionObserverInit & { readonly trackVisibility: true; readonly delay: number } = {
  trackVisibility: true,
  delay: 100,
};
const isSupported = (): boolean => "isVisible" in IntersectionObserverEntry.prototype;

const covered = new WeakSet<Element>();
let uncoveredAt = -Infinity;
let watcher: IntersectionObserver | undefined;

/** Records when a cover is removed from any of the buttons. */
function watch(control: Element): void {
  watcher ??= new IntersectionObserver((entries: readonly SightEntry[]) => {
    for (const { target, isIntersecting, isVisible } of entries)
      if (isIntersecting && isVisible === false) covered.add(target);
      else if (covered.delete(target)) uncoveredAt = performance.now();
  }, sight);
  watcher.observe(control);
}

/** True if the browser vouches that nothing covers or distorts a control, or did a moment ago; always true in Firefox. */
async function isInSight(control: Element): Promise<boolean> {
  if (!isSupported()) return true;
  // A busy browser gives the entry late, but the person saw what was shown at the press.
  const pressedAt = performance.now();
  const isVisible = await new Promise<boolean>((resolve) => {
    // The first entry of a new observer comes with the next frame, and is never older than the press.
    const observer = new IntersectionObserver(([entry]: readonly SightEntry[]) => {
      observer.disconnect();
      resolve(entry?.isVisible === true);
    }, sight);
    observer.observe(control);
  });
  // The other observer may still be about to learn that the cover is gone.
  return isVisible && !covered.has(control) && pressedAt - uncoveredAt >= settledMilliseconds;
}

let refusal: HTMLElement | undefined;

/**
 * A button that costs or sends something. The surrounding page can put something over the panel that lets clicks through, so a
 * press counts only if the person sees the button. A `reel` can be transcribed in a tab of the extension instead.
 */
export function actButton(
  label: string,
  act: () => void | Promise<void>,
  options: ButtonOptions & { readonly reel?: string } = {},
): HTMLButtonElement {
  let isJudging = false;
  async function press(): Promise<void> {
    // The second half of a double click must not act again.
    if (isJudging) return;
    isJudging = true;
    const isSeen = await isInSight(buttonNode);
    isJudging = false;
    refusal?.remove();
    if (isSeen) return act();
    refusal = refusalNote(options.reel);
    buttonNode.closest("main")?.prepend(refusal);
    refusal.scrollIntoView({ block: "nearest" });
  }
  const buttonNode = button(label, press, options);
  if (isSupported()) watch(buttonNode);
  return buttonNode;
}

function refusalNote(reel: string | undefined): HTMLElement {
  const open = (): void => openOwnPage(`/popup.html#${reel}`);
  const sentence = "Something on this page covers the button you pressed, so nothing was started.";
  return reel === undefined
    ? note("warn", paragraph(`${sentence} Close what covers it, then press again. Or use your dashboard.`))
    : note(
        "warn",
        paragraph(`${sentence} Close what covers it, then press again. Or transcribe the reel in a tab of its own.`),
        button("Open in a tab", open, { kind: "quiet" }),
      );
}
