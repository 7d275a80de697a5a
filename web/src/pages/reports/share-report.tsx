import { longestReportTitle } from "@reelscript/contract/values";
import { useState } from "react";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { ShareButton } from "../../components/share-button.tsx";
import { showToast } from "../../components/toast.tsx";

/** Shares a report by a link, under a custom title. */
export function ShareReport({ id }: { readonly id: string }) {
  const links = useOperation("listReportLinks", {}, { staleTime: 0 });
  const link = links.data?.links.find(({ reportId }) => reportId === id);
  const [typed, setTyped] = useState<string>();
  const title = typed ?? link?.title ?? "";
  const stale = ["listReportLinks"] as const;
  const create = useChange("createReportLink", { stale });
  const revoke = useChange("revokeReportLink", { stale, onDone: () => showToast("Link revoked") });
  const share = (): void => create.mutate({ id, ...(title.trim() !== "" && { title: title.trim() }) });
  return (
    <ShareButton
      title="Share this report"
      about="Anyone with the link can read this report, print it or save it as a PDF. They don’t need an account, and see none of your other reports."
      links={links}
      url={link?.url}
      create={{ isPending: create.isPending, error: create.error, onClick: share }}
      revoke={{
        isPending: revoke.isPending,
        error: revoke.error,
        onClick: () => link && revoke.mutate({ id: link.id }),
      }}
      further={
        title.trim() !== (link?.title ?? "") && (
          <Button busy={create.isPending && "Saving…"} onClick={share}>
            Save title
          </Button>
        )
      }
    >
      <Input
        label="Title"
        hint="Stands above the report, for example the name of your agency and of its client."
        maxLength={longestReportTitle}
        value={title}
        onChange={({ target }) => setTyped(target.value)}
      />
    </ShareButton>
  );
}
