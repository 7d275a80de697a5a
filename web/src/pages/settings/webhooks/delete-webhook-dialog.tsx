import type { Webhook } from "@reelscript/contract";
import { useChange } from "../../../api/use-change.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { showToast } from "../../../components/toast/toast.ts";

interface Props {
  /** The endpoint in question; nothing while nothing is asked. */
  readonly of: Pick<Webhook, "id" | "url"> | undefined;
  readonly onClose: () => void;
}

export function DeleteWebhookDialog({ of, onClose }: Props) {
  const remove = useChange("deleteWebhook", { stale: ["listWebhooks"] });
  const close = (): void => {
    remove.reset();
    onClose();
  };
  const submit = ({ id }: Pick<Webhook, "id">): void =>
    remove.mutate(
      { id },
      {
        onSuccess: () => {
          close();
          showToast("Endpoint deleted");
          // The button that asked is gone.
          requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus());
        },
      },
    );
  return (
    <Dialog open={of !== undefined} onClose={close} insistent={remove.isPending} title="Delete this endpoint?">
      <p className="subtitle">
        Nothing more is sent to <bdi dir="ltr">{of?.url}</bdi>, and its secret stops working.
      </p>
      <ErrorNote error={remove.error} onRetry={() => of && submit(of)} />
      <DialogButtons>
        <Button kind="quiet" onClick={close}>
          Keep it
        </Button>
        <Button kind="danger" busy={remove.isPending ? "Deleting…" : undefined} onClick={() => of && submit(of)}>
          Delete endpoint
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
