import { getRouteApi } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { LinkButton } from "../../components/link-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { useTypedQuery } from "../../components/use-typed-query.ts";
import { EmptyLibrary } from "./empty-library.tsx";
import { isNarrowed } from "./library-filter.ts";
import { LibraryFilters } from "./library-filters.tsx";
import { ScriptList } from "./script-list.tsx";

const route = getRouteApi("/shell/library");

export function LibraryPage() {
  const { query, account, language, length, sort = "date" } = route.useSearch();
  const filter = { account, language, length };
  const navigate = route.useNavigate();
  const isEmpty = useOperation("listScriptAccounts", {}).data?.total === 0;
  const [typed, setTyped] = useTypedQuery(query ?? "", (wanted) => {
    void navigate({
      search: (before) => ({ ...before, query: wanted || undefined }),
      // A search is one step back, however many keys it took.
      replace: query !== undefined && wanted !== "",
      resetScroll: false,
    });
  });
  if (isEmpty && query === undefined && !isNarrowed(filter))
    return (
      <>
        <PageHeader title="Library" sub="Search every word in your reels." />
        <EmptyLibrary />
      </>
    );
  return (
    <>
      <PageHeader title="Library" sub="Search every word in your reels.">
        {!isEmpty && (
          <LinkButton to="/transcribe" icon="plus">
            Transcribe
          </LinkButton>
        )}
      </PageHeader>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- leads on from the field to the rows */}
      <form
        className="stack tight"
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
        <LibraryFilters
          filter={filter}
          sort={sort}
          onFilter={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
          onSort={(chosen) =>
            void navigate({
              search: (before) => ({ ...before, sort: chosen === "date" ? undefined : chosen }),
              resetScroll: false,
            })
          }
        />
      </form>
      <ScriptList
        query={query}
        filter={filter}
        sort={sort}
        onClear={() =>
          void navigate({
            search: (before) =>
              query === undefined
                ? { ...before, account: undefined, language: undefined, length: undefined }
                : { ...before, query: undefined },
            resetScroll: false,
          })
        }
      />
    </>
  );
}
