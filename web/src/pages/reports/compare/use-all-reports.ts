import { useEffect } from "react";
import type { Output } from "@reelscript/client/core";
import { useOperationPages } from "../../../api/use-operation.ts";

/** All reports with their key figures, newest first; `undefined` until the last page is there. */
export function useAllReports({ enabled = true }: { readonly enabled?: boolean } = {}) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useOperationPages("listReportFigures", { limit: 200 }, { enabled });
  // After trouble the next try is the person's.
  const goesOn = enabled && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  const reports: Output<"listReportFigures">["reports"] | undefined = hasNextPage
    ? undefined
    : data?.pages.flatMap((page) => page.reports);
  return { reports, error, retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()) };
}
