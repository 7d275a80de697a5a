import { Button } from "../../../../components/button.tsx";
import { ErrorNote } from "../../../../components/error-note.tsx";
import { Note } from "../../../../components/note.tsx";
import { counted } from "../../../../format/number.ts";

interface Props {
  readonly changed: number;
  readonly isSaving: boolean;
  /** Whether writing began with what was not saved the last time. */
  readonly isRestored: boolean;
  /** Somebody else saved meanwhile: what they did is in the lines too, or the lines are others. */
  readonly conflict: "merged" | "replaced" | undefined;
  readonly error: Error | undefined;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** What can be done with what is written, and what became of it. */
export function CorrectionTools({ changed, isSaving, isRestored, conflict, error, onSave, onCancel }: Props) {
  return (
    <>
      <div className="tools saving">
        <Button type="submit" busy={isSaving ? "Saving…" : undefined}>
          Save changes
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <span className="meta" role="status">
          {changed === 0 ? "No changes yet" : `${counted(changed, "line", "lines")} changed`}
        </span>
        <span className="meta keys at-end">
          <kbd>Enter</kbd> next line <kbd>Ctrl Enter</kbd> save <kbd>Esc</kbd> cancel
        </span>
      </div>
      <div className="stack tight">
        {isRestored && changed > 0 && conflict === undefined && (
          <Note icon="check" live>
            Your unsaved changes are back.
          </Note>
        )}
        {conflict === "merged" && (
          <Note kind="warn" icon="warn" live>
            Someone saved other changes in the meantime. They’re below together with yours. Where both changed a line,
            you see yours. Save again to keep it.
          </Note>
        )}
        {conflict === "replaced" && (
          <Note kind="warn" icon="warn" live>
            This reel was transcribed again, so the lines are different now. Copy what you need, then cancel and start
            over.
          </Note>
        )}
        <ErrorNote error={error} onRetry={onSave}>
          Your changes are still here.
        </ErrorNote>
      </div>
    </>
  );
}
