import type { Key } from "@reelscript/contract";
import { useChange } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { keyEnd } from "../../components/key-end.ts";
import { showToast } from "../../components/toast.tsx";

interface Props {
  /** The key in question; nothing while nothing is asked. */
  readonly of: Pick<Key, "id" | "name" | "createdAt" | "expiresAt"> | undefined;
  readonly onClose: () => void;
  readonly onRevoked?: () => void;
}

export function RevokeKeyDialog({ of, onClose, onRevoked }: Props) {
  const revoke = useChange("revokeKey", { stale: ["listKeys"] });
  const hasExpired = of !== undefined && keyEnd(of) === "expired";
  const close = (): void => {
    revoke.reset();
    onClose();
  };
  const submit = ({ id, name }: Pick<Key, "id" | "name">): void =>
    revoke.mutate(
      { id },
      {
        onSuccess: () => {
          close();
          showToast(`“\u2068${name}\u2069” is ${hasExpired ? "removed" : "revoked"}`);
          // The button that asked is gone.
          requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus());
          onRevoked?.();
        },
      },
    );
  return (
    <Dialog
      open={of !== undefined}
      onClose={close}
      insistent={revoke.isPending}
      title={
        <>
          {hasExpired ? "Remove" : "Revoke"} “<bdi>{of?.name}</bdi>”?
        </>
      }
    >
      <p className="subtitle">
        {hasExpired ? "It has expired already." : "It stops working immediately."} Used transcriptions aren't refunded.
      </p>
      <ErrorNote error={revoke.error} onRetry={() => of && submit(of)} />
      <DialogButtons>
        <Button kind="quiet" onClick={close}>
          Keep it
        </Button>
        <Button
          kind="danger"
          busy={revoke.isPending ? (hasExpired ? "Removing…" : "Revoking…") : undefined}
          onClick={() => of && submit(of)}
        >
          {hasExpired ? "Remove key" : "Revoke key"}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
