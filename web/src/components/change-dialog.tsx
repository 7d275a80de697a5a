import type { ReactNode } from "react";
import { Button, type ButtonKind } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { ErrorNote } from "./error-note.tsx";

interface Props {
  readonly open?: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  /** What is said beside an error. */
  readonly unchanged?: string;
  readonly onSubmit: () => void;
  /** What the button says, and what it says while the change is on its way. */
  readonly action: string;
  readonly busy: string;
  readonly kind?: ButtonKind;
  /** What the button says that changes nothing. */
  readonly keep?: string;
  /** Whether its fields check themselves. */
  readonly noValidate?: boolean;
  readonly children: ReactNode;
}

/** A form in a dialog, whose button changes something. */
export function ChangeDialog({
  open = true,
  onClose,
  title,
  change: { isPending, error },
  unchanged,
  onSubmit,
  action,
  busy,
  kind = "ink",
  keep = "Cancel",
  noValidate,
  children,
}: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title} insistent={isPending}>
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
          <Button kind="quiet" onClick={onClose} disabled={isPending}>
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

interface ConfirmProps extends Pick<Props, "onClose" | "change" | "action" | "busy" | "keep" | "children"> {
  readonly title: ReactNode;
  readonly onConfirm: () => void;
}

/** Asks before something is ended or deleted. */
export function ConfirmDialog({ title, change, onClose, onConfirm, keep = "Keep it", action, ...rest }: ConfirmProps) {
  return (
    <Dialog open onClose={onClose} title={title} insistent={change.isPending}>
      <p className="subtitle">{rest.children}</p>
      <ErrorNote error={change.error} onRetry={onConfirm} />
      <DialogButtons>
        <Button kind="quiet" onClick={onClose} disabled={change.isPending}>
          {keep}
        </Button>
        <Button kind="danger" busy={change.isPending ? rest.busy : undefined} onClick={onConfirm}>
          {action}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Where the button was that is gone now. */
export const focusTitle = (): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus());
