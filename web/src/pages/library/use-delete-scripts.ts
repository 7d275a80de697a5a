import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { call } from "../../api/call.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { showToast } from "../../components/toast/toast.ts";
import { deleteLater, partsOf, pendingDeletions } from "./pending-deletions.ts";

export const usePendingDeletions = (): ReadonlySet<string> =>
  useSyncExternalStore(pendingDeletions.subscribe, pendingDeletions.current);

/** Deletes scripts, with some seconds in which that can be undone. */
export function useDeleteScripts(): (ids: readonly string[]) => void {
  const client = useQueryClient();
  return (ids) =>
    deleteLater(ids, async (meant) => {
      try {
        for (const part of partsOf(meant)) await call("deleteScripts", { ids: [...part] });
      } catch {
        const kept = meant.length === 1 ? "the script. It’s" : "the scripts. They’re";
        showToast(`We couldn’t delete ${kept} still in your library.`, { failed: true });
      }
      for (const id of meant) client.removeQueries({ queryKey: operationQuery("getScript", { id }).queryKey });
      await Promise.all(
        (["searchMyScripts", "listScriptAccounts", "countScriptKinds"] as const).map((name) =>
          client.invalidateQueries({ queryKey: [name] }),
        ),
      );
    });
}
