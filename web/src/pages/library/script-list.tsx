import { useRef, type KeyboardEvent } from "react";
import { useOperation, useOperationPages } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { SkeletonRows } from "../../components/skeleton-rows.tsx";
import { FoundSentence } from "./found-sentence.tsx";
import type { Sort } from "./library-filters.tsx";
import { ScriptRow } from "./script-row.tsx";
import { ShowMore } from "./show-more.tsx";
import { SelectionBar } from "./selection/selection-bar.tsx";
import { useSelection } from "./selection/use-selection.ts";
import { usePendingDeletions } from "./use-delete-scripts.ts";
import { useSettled } from "./use-settled.ts";

interface Props {
  readonly query: string | undefined;
  readonly account: string | undefined;
  readonly sort: Sort;
  readonly onClear: () => void;
}

/** What was found. The answer to the query before stays until the next is there. */
export function ScriptList({ query, account, sort, onClear }: Props) {
  const asked = { ...(query !== undefined && { query }), ...(account !== undefined && { account }), sort };
  const found = useOperationPages("searchMyScripts", asked, { keepPrevious: true });
  const accounts = useOperation("listScriptAccounts", {});
  const deleted = usePendingDeletions();
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, isFetchNextPageError } = found;
  const shown = useSettled({ query, account }, !isPlaceholderData);
  const all = data?.pages.flatMap((page) => page.scripts) ?? [];
  const scripts = all.filter(({ id }, index) => !deleted.has(id) && all.findIndex((one) => one.id === id) === index);
  const ids = scripts.map(({ id }) => id);
  const selection = useSelection(ids);
  const beginner = useRef<HTMLButtonElement>(null);

  if (data === undefined)
    return error ? (
      <ErrorNote error={error} onRetry={() => void found.refetch()} />
    ) : (
      <SkeletonRows count={7} label="Loading scripts" />
    );

  const total = (data.pages[0]?.total ?? 0) - all.filter(({ id }) => deleted.has(id)).length;
  const handle = shown.account?.toLowerCase();
  const own =
    handle === undefined
      ? accounts.data?.total
      : accounts.data?.accounts.find((one) => one.handle.toLowerCase() === handle)?.scripts;

  if (scripts.length === 0 && !hasNextPage)
    return shown.query === undefined && shown.account === undefined ? (
      <EmptyState title="Nothing here yet" action={<LinkButton to="/transcribe">Transcribe a reel</LinkButton>}>
        Paste a reel link. Its words appear here in about half a minute.
      </EmptyState>
    ) : (
      <NoHits query={shown.query} account={shown.account} onClear={onClear} />
    );

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links take the keys; this moves between them
    <section aria-label="Scripts" aria-busy={isPlaceholderData} onKeyDown={moveBetweenRows}>
      <div className="list-head">
        <div className="row">
          <p role="status">
            <FoundSentence found={total} all={own} query={shown.query} account={shown.account} />
          </p>
          <button
            type="button"
            className="link"
            ref={beginner}
            aria-pressed={selection.selected !== undefined}
            onClick={() => (selection.selected ? selection.end() : selection.select([]))}
          >
            Select
          </button>
        </div>
        <span aria-hidden="true">Views</span>
        <span aria-hidden="true">Engagement</span>
        <span aria-hidden="true">Posted</span>
      </div>
      {error && !isFetchNextPageError && <ErrorNote error={error} onRetry={() => void found.refetch()} />}
      <SelectionBar shown={ids} selection={selection} onEnd={() => beginner.current?.focus()} />
      <ul className="list">
        {scripts.map((script) => (
          <ScriptRow key={script.id} script={script} query={shown.query} selection={selection.ofRow(script.id)} />
        ))}
      </ul>
      {isFetchNextPageError && <ErrorNote error={error} onRetry={() => void found.fetchNextPage()} />}
      {hasNextPage && !isPlaceholderData && (
        <ShowMore
          loading={isFetchingNextPage}
          paused={isFetchNextPageError}
          onMore={() => void found.fetchNextPage({ cancelRefetch: false })}
        />
      )}
    </section>
  );
}

function NoHits({ query, account, onClear }: Pick<Props, "query" | "account" | "onClear">) {
  const where = account === undefined ? "" : ` by @${account}`;
  return (
    <div role="status">
      <EmptyState
        title={query === undefined ? `No script${where}` : `No script${where} says “${query}”`}
        action={
          <Button kind="quiet" onClick={onClear}>
            {query === undefined ? "Show all accounts" : "Clear search"}
          </Button>
        }
      >
        {query === undefined
          ? "There are no scripts from this account."
          : account === undefined
            ? "Try fewer words."
            : "Try fewer words, or search all accounts."}
      </EmptyState>
    </div>
  );
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("a.words")];
  const place = rows.findIndex((row) => row === event.target);
  if (place === -1) return;
  event.preventDefault();
  const next = rows[place + step];
  if (next !== undefined) next.focus();
  else if (step === -1) document.querySelector<HTMLElement>('input[type="search"]')?.focus();
}
