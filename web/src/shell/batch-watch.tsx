import { useEffect, useRef } from "react";
import { queryClient, refresh } from "../api/call.ts";
import { operationQuery, useOperation } from "../api/use-operation.ts";
import { batchProgress } from "../components/page.tsx";

const everyMilliseconds = 3_000;
const input = { status: "open" } as const;
const { queryKey } = operationQuery("listBatches", input);

/**
 * Watches the open batches on every page, even in a hidden tab: the tab's title shows the progress, and finished scripts appear
 * without a reload. Renders nothing.
 */
export function BatchWatch() {
  const isOpen = (queryClient.getQueryData(queryKey)?.batches.length ?? 0) > 0;
  const { data } = useOperation("listBatches", input, {
    refetchInterval: isOpen && everyMilliseconds,
    refetchIntervalInBackground: true,
  });
  const batches = data?.batches ?? [];
  const total = batches.reduce((sum, { counts }) => sum + counts.total, 0);
  const left = batches.reduce((sum, { counts }) => sum + counts.waiting + counts.underWay, 0);
  useEffect(() => {
    batchProgress.set(total === 0 ? undefined : { left, share: (total - left) / total });
    return () => batchProgress.set(undefined);
  }, [total, left]);
  const state = data && JSON.stringify(batches.map(({ id, counts }) => [id, counts.done, counts.failed, counts.total]));
  const before = useRef(state);
  useEffect(() => {
    if (state === undefined || state === before.current) return;
    const isFirst = before.current === undefined;
    before.current = state;
    if (isFirst) return;
    void refresh("getUsage", "searchMyScripts", "listScriptAccounts", "countScriptKinds", "getBatch");
    void queryClient.invalidateQueries({
      queryKey: ["listBatches"],
      predicate: (query) => query.queryKey !== queryKey,
    });
  }, [state]);
  return undefined;
}
