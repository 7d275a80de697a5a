import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useOperation } from "../../api/use-operation.ts";
import { LinkButton } from "../../components/button.tsx";
import { PageHeader, SkeletonRows } from "../../components/page.tsx";
import { SearchField, useTypedQuery } from "../../components/search-field.tsx";
import type { LibrarySearch } from "../page-search.ts";
import { FilterArea } from "./filter-area.tsx";
import { isNarrowed } from "./library-filters.tsx";
import { ScriptList } from "./script-list.tsx";

const route = getRouteApi("/shell/library");
/** People who have scripts don't need the form for the first one. */
const EmptyLibrary = lazy(async () => ({ default: (await import("./empty-library.tsx")).EmptyLibrary }));

export function LibraryPage() {
  const search = route.useSearch();
  const { query, sort = "date", account, platform, language, length, tag } = search;
  const { postedAfter, postedBefore, transcribedAfter, transcribedBefore } = search;
  const filter = {
    account,
    platform,
    language,
    length,
    tag,
    postedAfter,
    postedBefore,
    transcribedAfter,
    transcribedBefore,
  };
  const navigate = route.useNavigate();
  const change = (changes: LibrarySearch, replace = false): void =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace, resetScroll: false });
  const isEmpty = useOperation("listScriptAccounts", {}).data?.total === 0;
  const [typed, setTyped] = useTypedQuery(query ?? "", (text) => {
    // A search is one step in the history, however many keys were pressed.
    change({ query: text || undefined }, query !== undefined && text !== "");
  });
  if (isEmpty && query === undefined && !isNarrowed(filter))
    return (
      <>
        <PageHeader title="Library" sub="Paste a reel link. Its words appear here in about half a minute." />
        <Suspense fallback={<SkeletonRows count={3} label="Loading the page" />}>
          <EmptyLibrary />
        </Suspense>
      </>
    );
  return (
    <>
      <PageHeader title="Library" sub="Search every word in your reels.">
        {!isEmpty && (
          <>
            <LinkButton kind="ghost" to="/deleted" icon="bin">
              Deleted
            </LinkButton>
            {/* On phones it is in the tab bar. */}
            <LinkButton kind="ink" to="/transcribe" icon="plus" className="hidden-when-narrow">
              Transcribe
            </LinkButton>
          </>
        )}
      </PageHeader>
      <div className="stack tight">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys lead from the field to the rows */}
        <form
          role="search"
          onSubmit={(event) => event.preventDefault()}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown" || !(event.target instanceof HTMLInputElement)) return;
            event.preventDefault();
            document.querySelector<HTMLElement>(".list a.words")?.focus();
          }}
        >
          <SearchField
            label="Search transcripts and captions"
            value={typed}
            onChange={setTyped}
            placeholder="Search what was said"
          />
        </form>
        {/* Outside the form, because its dialog contains another, and submitting a nested form reloads the page. */}
        <FilterArea search={search} filter={filter} sort={sort} onChange={(changes) => change(changes)} />
      </div>
      <ScriptList
        query={query}
        filter={filter}
        sort={sort}
        onClear={() => change(query === undefined ? noFilter : { query: undefined })}
      />
    </>
  );
}

const noFilter = {
  account: undefined,
  platform: undefined,
  language: undefined,
  length: undefined,
  tag: undefined,
  postedAfter: undefined,
  postedBefore: undefined,
  transcribedAfter: undefined,
  transcribedBefore: undefined,
};
