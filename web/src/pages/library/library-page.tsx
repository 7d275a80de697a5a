import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { LinkButton, Button } from "../../components/button.tsx";
import { PageHeader } from "../../components/page.tsx";
import { SearchField, useTypedQuery } from "../../components/search-field.tsx";
import type { LibrarySearch } from "../../router/page-search.ts";
import { isNarrowed, LibraryFilters } from "./library-filters.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { ScriptList } from "./script-list.tsx";
import { PasteForm } from "../transcribe/paste-form.tsx";
import { useTranscribeJobs } from "../transcribe/transcribe-jobs.ts";

const route = getRouteApi("/shell/library");

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
  const change = (wanted: LibrarySearch, replace = false): void =>
    void navigate({ search: (before) => ({ ...before, ...wanted }), replace, resetScroll: false });
  const isEmpty = useOperation("listScriptAccounts", {}).data?.total === 0;
  const [typed, setTyped] = useTypedQuery(query ?? "", (wanted) => {
    // A search is one step back, however many keys it took.
    change({ query: wanted || undefined }, query !== undefined && wanted !== "");
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
          <>
            <LinkButton to="/deleted" icon="bin">
              Deleted
            </LinkButton>
            <LinkButton kind="ink" to="/transcribe" icon="plus">
              Transcribe
            </LinkButton>
          </>
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
          onFilter={(chosen) => change(chosen)}
          onSort={(chosen) => change({ sort: chosen === "date" ? undefined : chosen })}
        />
        <MoreFilters search={search} onFilter={(chosen) => change(chosen)} />
      </form>
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

function EmptyLibrary() {
  const navigate = useNavigate();
  const jobs = useTranscribeJobs();
  const sample = useOperation("getSession", {}, { staleTime: 300_000 }).data?.sampleReelUrl;
  const open = (): void => void navigate({ to: "/transcribe" });
  return (
    <section className="stack" aria-labelledby="first-reel">
      <div>
        <h2 id="first-reel">Transcribe your first reel</h2>
        <p className="subtitle">Paste a reel link. Its words appear here in about half a minute.</p>
      </div>
      <PasteForm given="" takesFocus onAdded={open} />
      <p className="row wrap">
        <span className="meta">No link handy?</span>
        {sample === undefined ? (
          <LinkButton size="small" to="/sample">
            Try a sample reel
          </LinkButton>
        ) : (
          <Button
            size="small"
            onClick={() => {
              jobs?.add([{ url: sample }]);
              open();
            }}
          >
            Try a sample reel
          </Button>
        )}
      </p>
    </section>
  );
}
