import { Button } from "../../components/button.tsx";
import { ErrorNote } from "../../components/page.tsx";

interface Props {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly data: unknown;
    readonly error: Error | null;
    readonly fetchNextPage: () => unknown;
  };
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({ list: { hasNextPage, isFetchingNextPage, data, error, fetchNextPage } }: Props) {
  return (
    <>
      <ErrorNote error={data === undefined ? undefined : error} onRetry={() => void fetchNextPage()} />
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage && "Loading…"} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
