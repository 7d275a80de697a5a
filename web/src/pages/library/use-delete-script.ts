import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { showToast } from "../../components/toast/toast.ts";
import { deleteLater, pendingDeletions } from "./pending-deletions.ts";

export const usePendingDeletions = (): ReadonlySet<string> =>
  useSyncExternalStore(pendingDeletions.subscribe, pendingDeletions.current);

/** Deletes a script, with some seconds in which that can be undone. */
export function useDeleteScript(): (id: string) => void {
  const client = useQueryClient();
  return (id) =>
    deleteLater(id, async () => {
      try {
        await call("deleteScript", { id });
      } catch (error) {
        const gone = error instanceof ApiError && error.code === "notFound";
        if (!gone) showToast("We couldn’t delete the script. It’s still in your library.", { failed: true });
      }
      client.removeQueries({ queryKey: operationQuery("getScript", { id }).queryKey });
      await Promise.all(
        (["searchMyScripts", "listScriptAccounts"] as const).map((name) =>
          client.invalidateQueries({ queryKey: [name] }),
        ),
      );
    });
}
