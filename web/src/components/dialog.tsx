import { useId, useLayoutEffect, useRef, type PointerEvent, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Button, type ButtonKind } from "./button.tsx";
import { ErrorNote } from "./page.tsx";

interface DialogProps {
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** Closes only by its own buttons: not by Escape, nor by a press outside. */
  readonly insistent?: boolean;
  readonly wide?: boolean;
}

/** The browser's own dialog: it traps the focus and returns it when it closes. Put the buttons in a `<DialogButtons>`. */
export function Dialog({ onClose, title, children, insistent = false, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closes it before it is removed from the page: otherwise closing doesn't return the focus.
  useLayoutEffect(() => {
    const element = dialog.current!; // safe: it is always drawn
    element.showModal();
    return () => {
      element.close();
      // The element that opened the dialog may be gone.
      if (document.activeElement === document.body || element.contains(document.activeElement))
        document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press outside closes, as Escape does
    <dialog
      ref={dialog}
      className={classNames("dialog", wide && "wide")}
      aria-labelledby={id}
      onCancel={(event) => {
        // React controls whether it is open.
        event.preventDefault();
        if (!insistent) onClose();
      }}
      // Some browsers close it on a second Escape or Back, even if `cancel` was prevented.
      onClose={({ currentTarget }) => {
        if (currentTarget.open) return;
        if (insistent) currentTarget.showModal();
        else onClose();
      }}
      onKeyDown={(event) => {
        if (insistent && event.key === "Escape") event.preventDefault();
      }}
      onPointerDown={(event) => {
        if (!insistent && event.target === event.currentTarget && isOutside(event.currentTarget, event)) onClose();
      }}
    >
      <div className="body stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className="row wrap buttons">{children}</div>;
}

function isOutside(element: HTMLElement, { clientX, clientY }: PointerEvent): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

interface ChangeDialogProps {
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** The consequences, shown under the title. */
  readonly about?: ReactNode;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly unchanged?: string;
  readonly onSubmit: () => void;
  readonly action: string;
  readonly busy?: string;
  readonly kind?: ButtonKind;
  readonly keep?: string;
  readonly noValidate?: boolean;
  readonly children?: ReactNode;
}

export function ChangeDialog({
  onClose,
  title,
  about,
  change: { isPending, error },
  unchanged,
  onSubmit,
  action,
  busy,
  kind = "ink",
  keep = "Cancel",
  noValidate,
  children,
}: ChangeDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} insistent={isPending}>
      {about && <p className="subtitle">{about}</p>}
      <form
        className="stack"
        noValidate={noValidate}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <ErrorNote error={error} onRetry={onSubmit}>
          {unchanged}
        </ErrorNote>
        <DialogButtons>
          <Button onClick={onClose} disabled={isPending}>
            {keep}
          </Button>
          <Button kind={kind} type="submit" busy={isPending ? busy : undefined}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

interface ConfirmProps {
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action: string;
  readonly busy?: string;
  readonly keep?: string;
  readonly onConfirm: () => void;
  /** Omitted if the action is immediate. */
  readonly change?: ChangeDialogProps["change"];
}

export const ConfirmDialog = ({ onConfirm, change = idleAction, children, ...rest }: ConfirmProps) => (
  <ChangeDialog keep="Keep it" {...rest} kind="danger" about={children} change={change} onSubmit={onConfirm} />
);

const idleAction = { isPending: false, error: null };

/** Focuses the title, because the previously focused button is gone. */
export const focusTitle = (): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus());
