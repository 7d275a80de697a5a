import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import type { Input, OperationName, Output } from "./operation-types.ts";

interface Options {
  readonly enabled?: boolean;
  /** Milliseconds; 30 s when left out. */
  readonly staleTime?: number;
  /** Shows the answer to the input before while a new one is on its way. */
  readonly keepPrevious?: boolean;
  /** Milliseconds between asking again; `false` for never. */
  readonly refetchInterval?: number | false;
}

/** For prefetching, reading and writing the cache; the key is the name and the input. */
export const operationQuery = <Name extends OperationName>(name: Name, input: Input<Name>) =>
  queryOptions<Output<Name>, ApiError>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
  });

/** What the operation answers, kept and asked again as react-query does. */
export function useOperation<Name extends OperationName>(
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

type PagedName = {
  [Name in OperationName]: Output<Name> extends { nextCursor?: string | null | undefined } ? Name : never;
}[OperationName];

/** A list that continues: `data.pages` are the answers so far, `fetchNextPage()` asks for the next. */
export function useOperationPages<Name extends PagedName>(
  name: Name,
  input: Input<Name>,
  { keepPrevious, ...options }: Omit<Options, "refetchInterval"> = {},
) {
  return useInfiniteQuery({
    // Beside the list's name, because the kept shape is another than that of a single page.
    queryKey: [name, input, "pages"] as const,
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
      call(name, { ...input, ...(pageParam !== undefined && { cursor: pageParam }) } as Input<Name>, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Output<Name>) => (page as { nextCursor?: string | null }).nextCursor ?? undefined,
    ...options,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}
