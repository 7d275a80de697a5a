import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery, useMutation } from "@tanstack/react-query";
import { call, refresh } from "./call.ts";
import type { AnyOperationName, CallError, Input, Output } from "@reelscript/client/core";

interface Options {
  readonly enabled?: boolean;
  /** Milliseconds; 30 s by default. */
  readonly staleTime?: number;
  readonly keepPrevious?: boolean;
  /** Milliseconds between refetches; `false` for never. */
  readonly refetchInterval?: number | false;
  readonly refetchIntervalInBackground?: boolean;
  /** Without retries, an error is shown immediately. */
  readonly retry?: false;
}

/** Options for prefetching, reading and writing the cache; the key is the name and the input. */
export const operationQuery = <Name extends AnyOperationName>(name: Name, input: Input<Name>) =>
  queryOptions<Output<Name>, CallError>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
  });

export function useOperation<Name extends AnyOperationName>(
  name: Name,
  input: Input<Name>,
  { keepPrevious, ...options }: Options = {},
) {
  return useQuery({
    ...operationQuery(name, input),
    ...options,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

/** `undefined` until the data have loaded. */
export const useAccountId = (): string | undefined =>
  useOperation("getSession", {}, { staleTime: Number.POSITIVE_INFINITY }).data?.account.id;

type PagedName = {
  [Name in AnyOperationName]: Output<Name> extends { nextCursor?: string | null | undefined } ? Name : never;
}[AnyOperationName];

/** Options for prefetching a paginated list. */
export const operationPages = <Name extends PagedName>(name: Name, input: Input<Name>) => ({
  // Differs from the key of a single page, because the cached data have another shape.
  queryKey: [name, input, "pages"] as const,
  queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
    call(name, { ...input, ...(pageParam !== undefined && { cursor: pageParam }) } as Input<Name>, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: Output<Name>) => (page as { nextCursor?: string | null }).nextCursor ?? undefined,
});

/** Loads a paginated list: `data.pages` are the pages so far, `fetchNextPage()` loads the next. */
export function useOperationPages<Name extends PagedName>(
  name: Name,
  input: Input<Name>,
  { keepPrevious, ...options }: Omit<Options, "refetchInterval" | "refetchIntervalInBackground"> = {},
) {
  return useInfiniteQuery({
    ...operationPages(name, input),
    ...options,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

interface ChangeOptions<Name extends AnyOperationName> {
  readonly stale?: readonly AnyOperationName[];
  readonly onDone?: (output: Output<Name>, input: Input<Name>) => unknown;
}

export function useChange<Name extends AnyOperationName>(name: Name, { stale = [], onDone }: ChangeOptions<Name> = {}) {
  return useMutation<Output<Name>, CallError, Input<Name>>({
    mutationFn: (input) => call(name, input),
    onSuccess: async (output, input) => {
      const refreshed = refresh(...stale);
      await onDone?.(output, input);
      await refreshed;
    },
    // The change may have happened although no response came, or it was refused because the pages are out of date.
    onError: () => void refresh(...stale),
  });
}
