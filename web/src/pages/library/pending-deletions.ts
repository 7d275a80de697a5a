import { operationAddress } from "../../api/operation-address.ts";
import { hideToast, showToast, toastStore } from "../../components/toast/toast.ts";

const listeners = new Set<() => void>();
let pending: ReadonlySet<string> = new Set();

function change(ids: ReadonlySet<string>): void {
  pending = ids;
  for (const listener of listeners) listener();
}

const without = (id: string): ReadonlySet<string> => new Set([...pending].filter((other) => other !== id));

/** Scripts that are gone for the eye, and for good as soon as nobody can undo it any more. */
export const pendingDeletions = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: () => pending,
};

const undoers = new Map<string, () => void>();

export const undoDeletion = (id: string): void => undoers.get(id)?.();

/**
 * Hides a script and offers to take that back as long as the toast stands; then `commit` deletes it. Who leaves the page
 * meanwhile meant it: the browser carries the call out on its own.
 */
export function deleteLater(id: string, commit: () => Promise<unknown>): void {
  if (pending.has(id)) return;
  change(new Set([...pending, id]));
  showToast("Script deleted", { undo: () => undoDeletion(id) });
  const toast = toastStore.current()?.id ?? -1;
  let settled = false;
  const settle = (): boolean => {
    if (settled) return false;
    settled = true;
    unsubscribe();
    removeEventListener("pagehide", leave);
    undoers.delete(id);
    return true;
  };
  const leave = (): void => {
    if (settle()) void fetch(operationAddress("deleteScript", { id }), { method: "DELETE", keepalive: true });
  };
  const unsubscribe = toastStore.subscribe(() => {
    if (toastStore.current()?.id === toast || !settle()) return;
    void commit().finally(() => change(without(id)));
  });
  undoers.set(id, () => {
    if (!settle()) return;
    change(without(id));
    hideToast(toast);
  });
  addEventListener("pagehide", leave);
}
