import { useState } from "react";
import { useChange, useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { ShareDialog } from "../../../components/share-dialog.tsx";
import { showToast } from "../../../components/toast.tsx";

export function ShareScript({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  const links = useOperation("listShareLinks", {}, { staleTime: 0 });
  const link = links.data?.links.find(({ scriptId }) => scriptId === id);
  const stale = ["listShareLinks"] as const;
  const create = useChange("createShareLink", { stale });
  const revoke = useChange("revokeShareLink", { stale, onDone: () => showToast("Link revoked") });
  return (
    <>
      <Button icon="share" onClick={() => setOpen(true)}>
        Share
      </Button>
      {isOpen && (
        <ShareDialog
          title="Share this script"
          about="Anyone with the link can read this transcript, with your corrections. They don’t need an account and can’t change anything."
          links={links}
          url={link?.url}
          create={{ isPending: create.isPending, error: create.error, onClick: () => create.mutate({ id }) }}
          revoke={{
            isPending: revoke.isPending,
            error: revoke.error,
            onClick: () => link && revoke.mutate({ id: link.id }),
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
