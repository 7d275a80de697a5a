import { Button } from "../../../../components/button.tsx";
import { Dialog, DialogButtons } from "../../../../components/dialog.tsx";

interface Props {
  readonly open: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

export function DiscardDialog({ open, onKeep, onDiscard }: Props) {
  return (
    <Dialog open={open} onClose={onKeep} title="Discard your changes?">
      <p className="subtitle">They aren’t saved yet.</p>
      <DialogButtons>
        <Button kind="quiet" onClick={onKeep}>
          Keep editing
        </Button>
        <Button kind="danger" onClick={onDiscard}>
          Discard changes
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
