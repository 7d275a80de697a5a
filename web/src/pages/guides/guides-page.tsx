import { getRouteApi, Link } from "@tanstack/react-router";
import type { Output } from "@reelscript/client/core";
import { useOperation } from "../../api/use-operation.ts";
import { EmptyState, ErrorNote, PendingParts, PageHeader } from "../../components/page.tsx";
import { SearchField, useTypedQuery } from "../../components/search-field.tsx";
import { counted } from "../../format.ts";
import { categories, categoryNames, categoryOf } from "./guide-categories.ts";

const route = getRouteApi("/shell/guides");
const limit = 50;
const pending = Array.from({ length: 6 }, () => "guide" as const);
const longestQuery = 200;
/** Guides only change with a release of the service. */
const staleTime = 3_600_000;

export function GuidesPage() {
  const { query = "", category: requestedCategory } = route.useSearch();
  const navigate = route.useNavigate();
  const category = categoryOf(requestedCategory);
  const [typed, setTyped] = useTypedQuery(query, (restedQuery) => {
    void navigate({ search: (before) => ({ ...before, query: restedQuery || undefined }), replace: true });
  });
  const searchedQuery = query.slice(0, longestQuery);
  const { data, error, refetch } = useOperation(
    "listGuides",
    { limit, ...(searchedQuery && { query: searchedQuery }) },
    { keepPrevious: true, staleTime },
  );
  // Filtered here, so that switching categories is instant and each can show whether it has guides.
  const guides = data?.guides.filter((guide) => category === undefined || guide.category === category);
  return (
    <>
      <PageHeader title="Guides" sub="How to write, film and measure reels." />
      <SearchField
        label="Search guides"
        placeholder="Hooks, captions, posting times…"
        value={typed}
        onChange={setTyped}
      />
      <nav className="tabs" aria-label="Categories">
        {[undefined, ...categories].map((name) => (
          <Link
            key={name ?? "all"}
            to="/guides"
            search={{ ...(query && { query }), ...(name && { category: name }) }}
            replace
            aria-current={name === category ? "true" : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {name === undefined ? "All" : categoryNames[name]}
          </Link>
        ))}
      </nav>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {guides === undefined && !error && (
        <PendingParts className="tiles guides" label="Loading guides" parts={pending} />
      )}
      {guides && guides.length > 0 && <Guides guides={guides} />}
      {guides?.length === 0 && (
        <EmptyState
          title={
            <>
              No guide{category && ` on ${categoryNames[category].toLowerCase()}`}
              {query && (
                <>
                  {" "}
                  says <bdi>“{query}”</bdi>
                </>
              )}
            </>
          }
          action="Show all guides"
          onAction={() => void navigate({ search: {}, replace: true })}
        >
          Try fewer words, or another category.
        </EmptyState>
      )}
      <p className="visually-hidden" role="status">
        {guides && query && counted(guides.length, "guide", "guides")}
      </p>
    </>
  );
}

function Guides({ guides }: Pick<Output<"listGuides">, "guides">) {
  return (
    <ul className="tiles guides" aria-label="Guides">
      {guides.map(({ slug, title, summary, category, readingMinutes }) => (
        <li key={slug} className="card stack">
          <p className="meta">
            {categoryNames[category]}, {readingMinutes} min
          </p>
          <h2>
            <Link className="covering" to="/guides/$guideId" params={{ guideId: slug }}>
              {title}
            </Link>
          </h2>
          <p>{summary}</p>
        </li>
      ))}
    </ul>
  );
}
