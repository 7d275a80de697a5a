import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import type { Output } from "@reelscript/client/core";
import { useOperation } from "../../api/use-operation.ts";
import { EmptyState, ErrorNote, PendingParts, PageHeader } from "../../components/page.tsx";
import { Icon } from "../../components/icon.tsx";
import { Moment } from "../../components/inline.tsx";
import { categoryNames, neighborsOf } from "./guide-categories.ts";
import { Markdown } from "./markdown/markdown.tsx";
import { parseMarkdown } from "./markdown/parse-markdown.ts";

type Guide = Output<"getGuide">;

const route = getRouteApi("/shell/guides/$guideId");
const staleTime = 3_600_000;

const useGuides = () => useOperation("listGuides", { limit: 50 }, { staleTime }).data?.guides ?? [];

export function GuidePage() {
  const { guideId } = route.useParams();
  const { data: guide, error, refetch } = useOperation("getGuide", { slug: guideId }, { staleTime });
  if (guide) return <ShownGuide key={guide.slug} guide={guide} />;
  // The service refuses an impossible slug with another error; for readers both mean that the guide doesn't exist.
  const isMissing = error?.code === "notFound" || error?.code === "invalidRequest";
  return (
    <>
      <PageHeader title="Guide" crumb={{ to: "/guides", label: "Guides" }} />
      {isMissing ? (
        <EmptyState title="Guide not found" to="/guides" action="Show all guides">
          Check the address.
        </EmptyState>
      ) : (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      )}
      {!error && <PendingParts label="Loading the guide" parts={["chart", "chart"]} />}
    </>
  );
}

function ShownGuide({ guide }: { readonly guide: Guide }) {
  const { title, summary, category, readingMinutes, updatedAt, sections } = guide;
  const blocks = useMemo(() => parseMarkdown(guide.bodyMarkdown), [guide.bodyMarkdown]);
  useHashOnArrival(sections);
  return (
    <>
      <PageHeader
        title={title}
        sub={summary}
        crumb={{
          to: "/guides",
          label: "Guides",
          here: (
            <Link to="/guides" search={{ category }}>
              {categoryNames[category]}
            </Link>
          ),
        }}
      />
      <div className="split guide">
        <article aria-label={title}>
          <p className="meta">
            {readingMinutes} min to read, changed <Moment at={updatedAt} style="long" />
          </p>
          <Markdown blocks={blocks} sectionIds={sections.map(({ id }) => id)} />
        </article>
        <Aside guide={guide} />
      </div>
      <Neighbors slug={guide.slug} />
    </>
  );
}

function Aside({ guide: { sections, related } }: { readonly guide: Guide }) {
  const guides = useGuides();
  const next = related.flatMap((slug) => guides.find((guide) => guide.slug === slug) ?? []);
  return (
    <aside className="guide-aside stack" aria-label="Around this guide">
      {sections.length > 1 && (
        <nav aria-labelledby="guide-sections">
          <h2 id="guide-sections">On this page</h2>
          <ul>
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {next.length > 0 && (
        <nav aria-labelledby="guide-related">
          <h2 id="guide-related">Read next</h2>
          <ul>
            {next.map(({ slug, title }) => (
              <li key={slug}>
                <Link to="/guides/$guideId" params={{ guideId: slug }}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </aside>
  );
}

function Neighbors({ slug }: { readonly slug: string }) {
  const { before, after } = neighborsOf(useGuides(), slug);
  if (!before && !after) return undefined;
  return (
    <nav className="neighbors" aria-label="Other guides">
      {before && (
        <Link to="/guides/$guideId" params={{ guideId: before.slug }} rel="prev" className="row">
          <Icon name="back" small />
          <span>
            <small className="meta">Previous</small>
            {before.title}
          </span>
        </Link>
      )}
      {after && (
        <Link to="/guides/$guideId" params={{ guideId: after.slug }} rel="next" className="row at-end">
          <span>
            <small className="meta">Next</small>
            {after.title}
          </span>
          <Icon name="forward" small />
        </Link>
      )}
    </nav>
  );
}

/** The text arrives after the page, so the browser has already looked for the section in vain. */
function useHashOnArrival(sections: Guide["sections"]): void {
  useEffect(() => {
    const section = sections.find(({ id }) => new URL(`#${id}`, location.href).hash === location.hash);
    if (section) document.getElementById(section.id)?.scrollIntoView();
  }, [sections]);
}
