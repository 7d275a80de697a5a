import { mostDeleted } from "@reelscript/contract/values";
import { call, operationAddress, queryClient, refresh } from "../../api/call.ts";
import { createStore } from "../../api/create-store.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { showToast, undoToast } from "../../components/toast.tsx";
import { counted } from "../../format.ts";

/** The hidden scripts, each with the toast that can restore it. */
const pending = createStore<ReadonlyMap<string, number>>(new Map());

export type PendingDeletions = Pick<ReadonlyMap<string, number>, "has">;
export const usePendingDeletions = (): PendingDeletions => pending.useValue();

export const undoDeletion = (id: string): void => undoToast(pending.current().get(id));

async function deleteNow(ids: readonly string[]): Promise<void> {
  try {
    for (const part of deletionBatchesOf(ids)) await call("deleteScripts", { ids: [...part] });
  } catch {
    const remainder = ids.length === 1 ? "the script. It’s" : "the scripts. They’re";
    showToast(`We couldn’t delete ${remainder} still in your library.`, { failed: true });
  }
  for (const id of ids) queryClient.removeQueries({ queryKey: operationQuery("getScript", { id }).queryKey });
  await refresh("searchMyScripts", "listScriptAccounts", "countScriptKinds", "listTags");
}

/**
 * Hides scripts and offers to undo that while the toast shows; then deletes them. If the person leaves the page first, the
 * browser still sends the call.
 */
export function deleteScripts(scriptIds: readonly string[]): void {
  const ids = scriptIds.filter((id) => !pending.current().has(id));
  if (ids.length === 0) return;
  const leave = (): void => {
    for (const part of deletionBatchesOf(ids))
      void fetch(operationAddress("deleteScripts", {}), {
        method: "POST",
        keepalive: true,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ids: part }),
      });
  };
  const show = (): void => {
    removeEventListener("pagehide", leave);
    pending.set(new Map([...pending.current()].filter(([id]) => !ids.includes(id))));
  };
  const toast = showToast(ids.length === 1 ? "Script deleted" : `${counted(ids.length, "script", "scripts")} deleted`, {
    undo: show,
    onGone: () => void deleteNow(ids).finally(show),
  });
  pending.set(new Map([...pending.current(), ...ids.map((id) => [id, toast] as const)]));
  addEventListener("pagehide", leave);
}

const deletionBatchesOf = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / mostDeleted) }, (_, index) =>
    ids.slice(index * mostDeleted, (index + 1) * mostDeleted),
  );
