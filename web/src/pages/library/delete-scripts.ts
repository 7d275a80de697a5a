import { mostDeleted } from "@reelscript/contract/values";
import { CallError } from "@reelscript/client/core";
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

const stale = ["searchMyScripts", "listScriptAccounts", "countScriptKinds", "listTags"] as const;

/** Resolves to whether all of them were deleted. */
async function deleteNow(ids: readonly string[]): Promise<boolean> {
  try {
    for (const part of batchesOf(ids)) await call("deleteScripts", { ids: [...part] });
    return true;
  } catch {
    const remainder = ids.length === 1 ? "the script. It’s" : "the scripts. They’re";
    showToast(`We couldn’t delete ${remainder} still in your library.`, { failed: true });
    return false;
  } finally {
    for (const id of ids) queryClient.removeQueries({ queryKey: operationQuery("getScript", { id }).queryKey });
    await refresh(...stale);
  }
}

async function restoreNow(ids: readonly string[]): Promise<void> {
  try {
    for (const part of batchesOf(ids)) await call("restoreScripts", { ids: [...part] });
  } catch (error) {
    // Another tab restored them.
    if (!(error instanceof CallError && error.code === "notFound"))
      showToast("We couldn’t restore everything. The rest is under Deleted.", { failed: true });
  }
  await refresh(...stale);
}

/**
 * Deletes scripts at once, and offers to restore them while the toast shows. If the person leaves the page before the answer,
 * the browser still sends the call.
 */
export function deleteScripts(scriptIds: readonly string[]): void {
  const ids = scriptIds.filter((id) => !pending.current().has(id));
  if (ids.length === 0) return;
  const leave = (): void => {
    for (const part of batchesOf(ids))
      void fetch(operationAddress("deleteScripts", {}), {
        method: "POST",
        keepalive: true,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ids: part }),
      });
  };
  const show = (): void => pending.set(new Map([...pending.current()].filter(([id]) => !ids.includes(id))));
  addEventListener("pagehide", leave);
  const deletion = deleteNow(ids).finally(() => removeEventListener("pagehide", leave));
  const toast = showToast(ids.length === 1 ? "Script deleted" : `${counted(ids.length, "script", "scripts")} deleted`, {
    undo: () =>
      void deletion.then(async (isDeleted) => {
        if (isDeleted) await restoreNow(ids);
        show();
      }),
    onGone: () => void deletion.then(show),
  });
  pending.set(new Map([...pending.current(), ...ids.map((id) => [id, toast] as const)]));
}

const batchesOf = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / mostDeleted) }, (_, index) =>
    ids.slice(index * mostDeleted, (index + 1) * mostDeleted),
  );
