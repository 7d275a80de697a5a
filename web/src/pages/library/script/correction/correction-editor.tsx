import { useOperation } from "../../../../api/use-operation.ts";
import type { Output } from "../../../../api/operation-types.ts";
import { Button } from "../../../../components/button.tsx";
import { ErrorNote } from "../../../../components/error-note.tsx";
import { SkeletonRows } from "../../../../components/skeleton-rows.tsx";
import { CorrectionForm } from "./correction-form.tsx";

interface Props {
  readonly script: Output<"getScript">;
  /** The segment that was chosen begins there. */
  readonly second: number | undefined;
  readonly onClose: () => void;
}

/** The transcript's segments to write in, in the place of the transcript. */
export function CorrectionEditor({ script, second, onClose }: Props) {
  const { data, error, isFetchedAfterMount, refetch } = useOperation(
    "getScriptCorrection",
    { id: script.id },
    { staleTime: 0 },
  );
  const accountId = useOperation("getSession", {}, { staleTime: Number.POSITIVE_INFINITY }).data?.account.id;
  if (error && !data)
    return (
      <div className="stack">
        <ErrorNote error={error} onRetry={() => void refetch()} />
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    );
  // What is known from before may be old, and writing begins once.
  if (!data || !isFetchedAfterMount || accountId === undefined)
    return <SkeletonRows label="Loading the text" count={3} />;
  return <CorrectionForm accountId={accountId} script={script} found={data} second={second} onClose={onClose} />;
}
