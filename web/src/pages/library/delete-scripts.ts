import { createStore } from "../../api/create-store.ts";
import { call, operationAddress, queryClient, refresh } from "../../api/call.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { showToast, hideToast, toastStore } from "../../components/toast.tsx";
import { mostDeleted } from "@reelscript/contract/values";
import { counted } from "../../format.ts";

const pending = createStore<ReadonlySet<string>>(new Set());

export const usePendingDeletions = (): ReadonlySet<string> => pending.useValue();

const undoers = new Map<string, () => void>();

export const undoDeletion = (id: string): void => undoers.get(id)?.();

async function deleteNow(ids: readonly string[]): Promise<void> {
  try {
    for (const part of deletionBatchesOf(ids)) await call("deleteScripts", { ids: [...part] });
  } catch {
    const kept = ids.length === 1 ? "the script. It’s" : "the scripts. They’re";
    showToast(`We couldn’t delete ${kept} still in your library.`, { failed: true });
  }
  for (const id of ids) queryClient.removeQueries({ queryKey: operationQuery("getScript", { id }).queryKey });
  await refresh("searchMyScripts", "listScriptAccounts", "countScriptKinds");
}

/**
 * Hides scripts and offers to take that back as long as the toast stands; then they are deleted. Who leaves the page before
 * that is done meant it: the browser carries the call out on its own.
 */
export function deleteScripts(wanted: readonly string[]): void {
  const ids = wanted.filter((id) => !pending.current().has(id));
  const [first] = ids;
  if (first === undefined) return;
  pending.set(new Set([...pending.current(), ...ids]));
  const text = ids.length === 1 ? "Script deleted" : `${counted(ids.length, "script", "scripts")} deleted`;
  showToast(text, { undo: () => undoDeletion(first) });
  const toast = toastStore.current()?.id ?? -1;
  let settled = false;
  const settle = (): boolean => {
    if (settled) return false;
    settled = true;
    unsubscribe();
    for (const id of ids) undoers.delete(id);
    return true;
  };
  const leave = (): void => {
    settle();
    for (const part of deletionBatchesOf(ids))
      void fetch(operationAddress("deleteScripts", {}), {
        method: "POST",
        keepalive: true,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ids: part }),
      });
  };
  const end = (): void => {
    removeEventListener("pagehide", leave);
    pending.set(new Set([...pending.current()].filter((other) => !ids.includes(other))));
  };
  const unsubscribe = toastStore.subscribe(() => {
    if (toastStore.current()?.id === toast || !settle()) return;
    void deleteNow(ids).finally(end);
  });
  const undo = (): void => {
    if (!settle()) return;
    end();
    hideToast(toast);
  };
  for (const id of ids) undoers.set(id, undo);
  addEventListener("pagehide", leave);
}

const deletionBatchesOf = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / mostDeleted) }, (_, index) =>
    ids.slice(index * mostDeleted, (index + 1) * mostDeleted),
  );
