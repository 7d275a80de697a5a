import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface Props {
  readonly open: boolean;
  /** Asked for by Escape, by a press outside, or by the dialog's own buttons. */
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** Closes by its own buttons only: no Escape, no press outside. */
  readonly insistent?: boolean;
  readonly wide?: boolean;
}

/** The browser's own: focus stays in it and goes back to where it was. Put the buttons into a `<DialogButtons>`. */
export function Dialog({ open, onClose, title, children, insistent = false, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before it leaves the page: only then does closing it give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || element === null) return undefined;
    if (!element.open) element.showModal();
    return () => {
      element.close();
      // What the dialog was opened from may be gone.
      if (document.activeElement === document.body || element.contains(document.activeElement))
        document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    };
  }, [open]);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || element === null) return undefined;
    const onCancel = (event: Event): void => {
      // React decides whether it is open.
      event.preventDefault();
      if (!insistent) onClose();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (insistent && event.key === "Escape") event.preventDefault();
    };
    const onPress = (event: PointerEvent): void => {
      if (!insistent && event.target === element && isOutside(element, event)) onClose();
    };
    // Some browsers close on a second Escape, or way back, whatever is said to `cancel`.
    const onClosed = (): void => {
      if (element.open) return;
      if (insistent) element.showModal();
      else onClose();
    };
    element.addEventListener("cancel", onCancel);
    element.addEventListener("close", onClosed);
    element.addEventListener("keydown", onKey);
    element.addEventListener("pointerdown", onPress);
    return () => {
      element.removeEventListener("cancel", onCancel);
      element.removeEventListener("close", onClosed);
      element.removeEventListener("keydown", onKey);
      element.removeEventListener("pointerdown", onPress);
    };
  }, [open, insistent, onClose]);
  return (
    <dialog ref={dialog} className={classNames("dialog", wide && "wide")} aria-labelledby={id}>
      {open && (
        <div className="body">
          <h2 id={id}>{title}</h2>
          {children}
        </div>
      )}
    </dialog>
  );
}

/** The last row of a dialog. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className="row wrap buttons">{children}</div>;
}

function isOutside(element: HTMLElement, { clientX, clientY }: PointerEvent): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
