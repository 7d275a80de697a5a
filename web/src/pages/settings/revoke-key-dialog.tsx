import type { Key } from "@reelscript/contract";
import { useChange } from "../../api/use-operation.ts";
import { ConfirmDialog, focusTitle } from "../../components/change-dialog.tsx";
import { keyEnd } from "../../components/key-end.ts";
import { showToast } from "../../components/toast.tsx";

interface Props {
  readonly of: Pick<Key, "id" | "name" | "createdAt" | "expiresAt">;
  readonly onClose: () => void;
  readonly onRevoked?: () => void;
}

export function RevokeKeyDialog({ of, onClose, onRevoked }: Props) {
  const revoke = useChange("revokeKey", { stale: ["listKeys"] });
  const hasExpired = keyEnd(of) === "expired";
  const onSuccess = (): void => {
    onClose();
    showToast(`“\u2068${of.name}\u2069” is ${hasExpired ? "removed" : "revoked"}`);
    focusTitle();
    onRevoked?.();
  };
  return (
    <ConfirmDialog
      title={
        <>
          {hasExpired ? "Remove" : "Revoke"} “<bdi>{of.name}</bdi>”?
        </>
      }
      change={revoke}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ id: of.id }, { onSuccess })}
      action={hasExpired ? "Remove key" : "Revoke key"}
      busy={hasExpired ? "Removing…" : "Revoking…"}
    >
      {hasExpired ? "It has expired already." : "It stops working immediately."} Used transcriptions aren't refunded.
    </ConfirmDialog>
  );
}
