import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { showToast } from "../../components/toast/toast.ts";
import { counted } from "../../format/number.ts";
import { deleteLater, pendingDeletions } from "./pending-deletions.ts";

export const usePendingDeletions = (): ReadonlySet<string> =>
  useSyncExternalStore(pendingDeletions.subscribe, pendingDeletions.current);

/** Deletes scripts, with some seconds in which that can be undone. */
export function useDeleteScripts(): (ids: readonly string[]) => void {
  const client = useQueryClient();
  return (ids) =>
    deleteLater(ids, async (meant) => {
      let kept = 0;
      for (const id of meant) {
        kept += (await isDeleted(id)) ? 0 : 1;
        client.removeQueries({ queryKey: operationQuery("getScript", { id }).queryKey });
      }
      if (kept > 0) showToast(keptSentence(kept), { failed: true });
      await Promise.all(
        (["searchMyScripts", "listScriptAccounts"] as const).map((name) =>
          client.invalidateQueries({ queryKey: [name] }),
        ),
      );
    });
}

async function isDeleted(id: string): Promise<boolean> {
  try {
    await call("deleteScript", { id });
    return true;
  } catch (error) {
    return error instanceof ApiError && error.code === "notFound";
  }
}

const keptSentence = (kept: number): string =>
  kept === 1
    ? "We couldn’t delete the script. It’s still in your library."
    : `We couldn’t delete ${counted(kept, "script", "scripts")}. They’re still in your library.`;
