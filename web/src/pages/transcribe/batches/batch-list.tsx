import { useOperation, useOperationPages } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { ErrorNote } from "../../../components/page.tsx";
import { BatchCard } from "./batch-card.tsx";

const limit = 10;

/** The account's batches, with the newest first and expanded. */
export function BatchList() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages("listBatches", {
    limit,
  });
  // The shell polls these.
  const open = useOperation("listBatches", { status: "open" }).data?.batches ?? [];
  const batches = data?.pages.flatMap((page) => page.batches) ?? [];
  if (error !== null && data === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (batches.length === 0) return undefined;
  return (
    <section className="stack batches" aria-labelledby="batches">
      <h2 id="batches">Batches</h2>
      {batches.map((batch, index) => (
        <BatchCard key={batch.id} batch={open.find(({ id }) => id === batch.id) ?? batch} isShownFirst={index === 0} />
      ))}
      {hasNextPage && (
        <Button className="at-start" busy={isFetchingNextPage && "Loading…"} onClick={() => void fetchNextPage()}>
          Show earlier batches
        </Button>
      )}
    </section>
  );
}
