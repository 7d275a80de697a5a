import { defaultParseSearch } from "@tanstack/react-router";
import { queryClient } from "../api/call.ts";
import { operationPages, operationQuery } from "../api/use-operation.ts";
import { pageSearch } from "./page-search.ts";

/**
 * Asks for the scripts of the library's page while its program is still loading, the list before what its filters offer. The
 * page finds the answers where it would have kept its own.
 */
export function readLibraryAhead(): void {
  const isAddressed = location.pathname.endsWith("/library");
  const search = pageSearch.library(isAddressed ? defaultParseSearch(location.search) : {});
  void queryClient.prefetchInfiniteQuery(operationPages("searchMyScripts", { ...search, sort: search.sort ?? "date" }));
  void queryClient.prefetchQuery(operationQuery("listScriptAccounts", {}));
  void queryClient.prefetchQuery(operationQuery("countScriptKinds", {}));
}
