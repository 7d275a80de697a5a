import { useQueries } from "@tanstack/react-query";
import { operationQuery } from "../../api/use-operation.ts";

const mostResolved = 5;
const staleMilliseconds = 300_000;

/** What the platform shows of reels, and whether they are cached: of the first few, asked once, because it is asked there. */
export const useReels = (urls: readonly string[]) =>
  useQueries({
    queries: urls.slice(0, mostResolved).map((url) => ({
      ...operationQuery("resolveReel", { url }),
      staleTime: staleMilliseconds,
      retry: false,
      retryOnMount: false,
      refetchOnWindowFocus: false,
    })),
  });
