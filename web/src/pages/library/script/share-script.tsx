import { useChange, useOperation } from "../../../api/use-operation.ts";
import { ShareButton } from "../../../components/share-button.tsx";
import { showToast } from "../../../components/toast.tsx";

export function ShareScript({ id }: { readonly id: string }) {
  const links = useOperation("listShareLinks", {}, { staleTime: 0 });
  const link = links.data?.links.find(({ scriptId }) => scriptId === id);
  const stale = ["listShareLinks"] as const;
  const create = useChange("createShareLink", { stale });
  const revoke = useChange("revokeShareLink", { stale, onDone: () => showToast("Link revoked") });
  return (
    <ShareButton
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
    />
  );
}
