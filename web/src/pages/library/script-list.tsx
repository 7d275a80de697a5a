import {
  useRef,
  useState,
  useEffect,
  useMemo,
  useEffectEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { Link } from "@tanstack/react-router";
import { operationAddress } from "../../api/call.ts";
import { useOperationPages } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { EmptyState, ErrorNote, SkeletonRows } from "../../components/page.tsx";
import { isNarrowed, kindWords, type LibraryFilter, type Sort } from "./library-filters.tsx";
import { shownWords } from "../../components/shown-words.ts";
import { VirtualRows } from "./virtual-rows.tsx";
import { SelectionBar, useSelection } from "./selection.tsx";
import { usePendingDeletions } from "./delete-scripts.ts";
import { Handle } from "../../components/inline.tsx";
import { exactNumber } from "../../format.ts";

interface Props {
  readonly query: string | undefined;
  readonly filter: LibraryFilter;
  readonly sort: Sort;
  readonly onClear: () => void;
}

/** Search results. The previous query's results stay until the next ones arrive. */
export function ScriptList({ query, filter, sort, onClear }: Props) {
  const search = { query, ...filter, sort };
  const pages = useOperationPages("searchMyScripts", search, { keepPrevious: true });
  const deleted = usePendingDeletions();
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  const settledSearch = useSettled({ query, ...filter }, !isPlaceholderData);
  const all = useMemo(() => data?.pages.flatMap((page) => page.scripts) ?? [], [data]);
  const scripts = useMemo(
    () => [...new Map(all.map((script) => [script.id, script])).values()].filter(({ id }) => !deleted.has(id)),
    [all, deleted],
  );
  const ids = useMemo(() => scripts.map(({ id }) => id), [scripts]);
  const selection = useSelection({ visibleIds: ids, search: JSON.stringify(search), deleted });
  const beginner = useRef<HTMLButtonElement>(null);

  if (data === undefined)
    return error ? (
      <ErrorNote error={error} onRetry={() => void pages.refetch()} />
    ) : (
      <SkeletonRows count={7} label="Loading scripts" />
    );

  const total = (data.pages[0]?.total ?? 0) - all.filter(({ id }) => deleted.has(id)).length;
  const instead = data.pages[0]?.instead;
  const searched = instead ?? settledSearch.query;
  const hasFigures = scripts.some(({ views, engagementRate }) => views !== undefined || engagementRate !== undefined);
  const inCaption = hasNextPage ? undefined : scripts.filter((script) => shownWords(script).from === "caption").length;

  if (scripts.length === 0 && !hasNextPage)
    return <NoScripts query={settledSearch.query} filter={settledSearch} onClear={onClear} />;

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links handle the keys; this moves between them
    <section
      aria-label="Scripts"
      className={hasFigures ? undefined : "without-figures"}
      aria-busy={isPlaceholderData}
      onKeyDown={moveBetweenRows}
    >
      {instead !== undefined && <Instead query={settledSearch.query} instead={instead} search={search} />}
      <ListHead csvSearch={{ ...search, query: searched }} selection={selection} beginner={beginner}>
        <FoundSentence total={total} inCaption={inCaption} query={searched} filter={settledSearch} />
      </ListHead>
      {error && !isFetchNextPageError && <ErrorNote error={error} onRetry={() => void pages.refetch()} />}
      {selection.selected && (
        <SelectionBar
          visibleIds={ids}
          total={total}
          search={search}
          selected={selection.selected}
          selection={selection}
          onEnd={() => beginner.current?.focus()}
        />
      )}
      <VirtualRows scripts={scripts} total={total} query={searched} ofRow={selection.ofRow} />
      {isFetchNextPageError && <ErrorNote error={error} onRetry={() => void pages.fetchNextPage()} />}
      {hasNextPage && !isPlaceholderData && (
        <ShowMore
          loading={isFetchingNextPage}
          paused={isFetchNextPageError}
          onMore={() => void pages.fetchNextPage({ cancelRefetch: false })}
        />
      )}
    </section>
  );
}

interface HeadProps {
  /** Parts of the table for which a link is offered. */
  readonly csvSearch: LibraryFilter & { readonly query: string | undefined; readonly sort: Sort };
  readonly selection: ReturnType<typeof useSelection>;
  readonly beginner: RefObject<HTMLButtonElement | null>;
  readonly children: ReactNode;
}

const ListHead = ({ csvSearch, selection, beginner, children }: HeadProps) => (
  <div className="list-head meta">
    <div className="row">
      <p role="status">{children}</p>
      <button
        type="button"
        className="link"
        ref={beginner}
        aria-pressed={selection.selected !== undefined}
        onClick={() => (selection.selected ? selection.end() : selection.select([]))}
      >
        Select
      </button>
      <a className="link" href={operationAddress("searchMyScripts", { ...csvSearch, format: "csv" })} download>
        Download CSV
      </a>
    </div>
    {["Views", "Engagement", "Posted"].map((name) => (
      <span
        key={name}
        className={classNames("hidden-when-narrow", name !== "Posted" && "row-figure")}
        aria-hidden="true"
      >
        {name}
      </span>
    ))}
  </div>
);

interface InsteadProps {
  readonly query: string | undefined;
  readonly instead: string;
  readonly search: LibraryFilter & { readonly sort: Sort };
}

/** Says that the list is of a similar query. */
const Instead = ({ query, instead, search }: InsteadProps) => (
  <p role="status">
    No script has “<bdi>{query}</bdi>”. Did you mean{" "}
    <Link to="/library" search={{ ...search, query: instead }}>
      <bdi>{instead}</bdi>
    </Link>
    ?
  </p>
);

interface NoHitsProps {
  readonly query: string | undefined;
  readonly filter: LibraryFilter;
  readonly onClear: () => void;
}

const NoScripts = ({ query, filter, onClear }: NoHitsProps) =>
  query === undefined && !isNarrowed(filter) ? (
    <EmptyState title="Nothing here yet" kind="ink" to="/transcribe" action="Transcribe a reel">
      Paste a reel link. Its words appear here in about half a minute.
    </EmptyState>
  ) : (
    <NoHits query={query} filter={filter} onClear={onClear} />
  );

function NoHits({ query, filter, onClear }: NoHitsProps) {
  const where = `${filter.account === undefined ? "" : ` by @${filter.account}`}${kindWords(filter)}`;
  return (
    <div role="status">
      <EmptyState
        title={query === undefined ? `No script${where}` : `No script${where} says “${query}”`}
        action={query === undefined ? "Show all scripts" : "Clear search"}
        onAction={onClear}
      >
        {query === undefined
          ? "No scripts match these filters."
          : isNarrowed(filter)
            ? "Try fewer words, or fewer filters."
            : "Try fewer words."}
      </EmptyState>
    </div>
  );
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("a.words")];
  const index = rows.findIndex((row) => row === event.target);
  if (index === -1) return;
  event.preventDefault();
  const next = rows[index + step];
  if (next !== undefined) next.focus();
  else if (step === -1) document.querySelector<HTMLElement>('input[type="search"]')?.focus();
}

/** The last value at which everything was settled; the first value until then. */
function useSettled<Value extends object>(value: Value, isSettled: boolean): Value {
  const [settledValue, setSettledValue] = useState(value);
  if (!isSettled || JSON.stringify(settledValue) === JSON.stringify(value)) return settledValue;
  setSettledValue(value);
  return value;
}

interface ShowMoreProps {
  readonly onMore: () => void;
  readonly loading: boolean;
  /** After an error the person decides when to retry. */
  readonly paused: boolean;
}

function ShowMore({ onMore, loading, paused }: ShowMoreProps) {
  const sentinel = useRef<HTMLDivElement>(null);
  const more = useEffectEvent(onMore);
  useEffect(() => {
    const element = sentinel.current;
    if (element === null || loading || paused) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more();
      },
      { rootMargin: "800px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [loading, paused]);
  return (
    <div ref={sentinel} className="show-more">
      <Button busy={loading && "Loading…"} onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}

interface FoundProps {
  readonly total: number;
  /** How many have it only in the caption; `undefined` while the total isn't known. */
  readonly inCaption: number | undefined;
  readonly query: string | undefined;
  readonly filter: LibraryFilter;
}

/** 31 results for “hook” by @lenabakes, 2 in the caption only; 12 scripts by @lenabakes in Tamil, 30 to 60 s */
function FoundSentence({ total, inCaption, query, filter }: FoundProps): ReactNode {
  const { account } = filter;
  const [one, many] = query === undefined ? ["script", "scripts"] : ["result", "results"];
  return (
    <>
      <b>{exactNumber(total)}</b>
      {` ${total === 1 ? one : many}`}
      {query !== undefined && (
        <>
          {" for “"}
          <bdi>{query}</bdi>”
        </>
      )}
      {account !== undefined && (
        <>
          {" by "}
          <Handle name={account} />
        </>
      )}
      {kindWords(filter)}
      {query !== undefined &&
        inCaption !== undefined &&
        inCaption > 0 &&
        `, ${exactNumber(inCaption)} in the caption only`}
    </>
  );
}
