import type { Locator } from "playwright-core";

/** The panel holds a lifted cover against a press for half a second, after it has seen it, which may be a moment later than here. */
const heldMilliseconds = 800;

/** Presses a button as a person does: once the browser has shown it, with nothing over it, for as long as the panel asks. */
export async function pressSeen(button: Locator): Promise<void> {
  await button.evaluate(
    (control, held) =>
      new Promise<void>((resolve) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const sight = { trackVisibility: true, delay: 100 };
        const observer = new IntersectionObserver(([entry]) => {
          clearTimeout(timer);
          // A button that was drawn again is another element, which the click below finds.
          if (!control.isConnected) return resolve();
          // Chromium adds whether nothing covers or distorts it.
          if (!(entry as unknown as { readonly isVisible?: boolean }).isVisible) return;
          timer = setTimeout(() => {
            observer.disconnect();
            resolve();
          }, held);
        }, sight as IntersectionObserverInit);
        observer.observe(control);
      }),
    heldMilliseconds,
  );
  await button.click();
}
