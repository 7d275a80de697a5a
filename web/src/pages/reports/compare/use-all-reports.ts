import { useEffect } from "react";
import { useOperationPages } from "../../../api/use-operation.ts";

type Pages = ReturnType<typeof useOperationPages<"listReportFigures">>;

/** Reads on to the last page where that is wanted; after trouble the next try is the person's. */
export function useReadOn(pages: Pages, wanted: boolean) {
  const { refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  const goesOn = wanted && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()) };
}

/** All reports with their key figures, newest first; `undefined` until the last page is there. */
export function useAllReports({ enabled = true } = {}) {
  const pages = useOperationPages("listReportFigures", { limit: 200 }, { enabled });
  const { retry } = useReadOn(pages, enabled);
  const reports = pages.hasNextPage ? undefined : pages.data?.pages.flatMap((page) => page.reports);
  return { reports, error: pages.error, retry };
}
