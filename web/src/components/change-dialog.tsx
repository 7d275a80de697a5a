import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { ErrorNote } from "./error-note.tsx";

interface Props {
  readonly open?: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSubmit: () => void;
  /** What the button says, and what it says while the change is on its way. */
  readonly action: string;
  readonly busy: string;
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
  onSubmit,
  action,
  busy,
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
        <ErrorNote error={error} onRetry={onSubmit} />
        <DialogButtons>
          <Button kind="quiet" onClick={onClose} disabled={isPending}>
            Cancel
          </Button>
          <Button type="submit" busy={isPending ? busy : undefined}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
