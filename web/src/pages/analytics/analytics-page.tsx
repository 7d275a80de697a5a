import { getRouteApi, Link } from "@tanstack/react-router";
import type { BioAnalytics, BioPage } from "@reelscript/contract";
import { downloadAddress } from "../../api/operation-address.ts";
import { useOperation } from "../../api/use-operation.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { AnchorButton, LinkButton } from "../../components/link-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { calendarDays } from "../../format/calendar-day.ts";
import { analyticsPeriods } from "../../router/page-search.ts";
import { Visitors, ViewsAndClicks } from "./analytics-charts.tsx";
import { AnalyticsFigures } from "./analytics-figures.tsx";
import { HowCounted } from "./how-counted.tsx";
import { LinkTable } from "./link-table.tsx";
import { Sources } from "./sources.tsx";

const route = getRouteApi("/shell/analytics");
const usualPeriod = 30;

export function AnalyticsPage() {
  const { days = usualPeriod } = route.useSearch();
  const page = useOperation("getMyBioPage", {});
  const analytics = useOperation("getBioAnalytics", { days }, { keepPrevious: true });
  const error = analytics.error ?? page.error;
  const ready = analytics.data && page.data;
  return (
    <>
      <PageHeader title="Analytics" sub={<Sub url={page.data?.url} analytics={analytics.data} />}>
        {ready && page.data?.url != null && (
          <AnchorButton
            kind="quiet"
            icon="download"
            href={downloadAddress("getBioAnalytics", { days }, { format: "csv" })}
            download
          >
            Download CSV
          </AnchorButton>
        )}
      </PageHeader>
      <nav className="tabs" aria-label="Period">
        {analyticsPeriods.map((period) => (
          <Link
            key={period}
            to="/analytics"
            search={period === usualPeriod ? {} : { days: period }}
            replace
            aria-current={period === days ? "true" : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {period} days
          </Link>
        ))}
      </nav>
      <ErrorNote
        error={error}
        onRetry={() => {
          void analytics.refetch();
          void page.refetch();
        }}
      />
      {ready ? (
        <Content analytics={analytics.data} page={page.data} pending={analytics.isPlaceholderData} />
      ) : (
        !error && <Pending />
      )}
    </>
  );
}

function Sub({
  url,
  analytics,
}: {
  readonly url: string | null | undefined;
  readonly analytics: BioAnalytics | undefined;
}) {
  if (url == null) return "Visits and clicks of your bio page.";
  return (
    <>
      <a href={url} target="_blank" rel="noopener">
        <bdi>{url.replace(/^https?:\/\//, "")}</bdi>
      </a>
      {analytics && (
        <>
          , <bdi>{calendarDays(analytics.from, analytics.to)}</bdi> (UTC)
        </>
      )}
    </>
  );
}

interface ContentProps {
  readonly analytics: BioAnalytics;
  readonly page: BioPage;
  /** The figures are still those of another period. */
  readonly pending: boolean;
}

function Content({ analytics, page, pending }: ContentProps) {
  const visited = analytics.views + analytics.clicks + analytics.previous.views + analytics.previous.clicks > 0;
  const { excluded } = analytics;
  const counts = <HowCounted excluded={excluded} definitions={analytics.definitions} />;
  if (!visited)
    return (
      <>
        <NoVisits page={page} days={analytics.days} />
        {page.url !== null && counts}
      </>
    );
  return (
    <div className="stack analytics" aria-busy={pending}>
      <AnalyticsFigures analytics={analytics} />
      <ViewsAndClicks analytics={analytics} />
      <Visitors analytics={analytics} />
      <LinkTable links={analytics.links} />
      <Sources analytics={analytics} />
      {counts}
    </div>
  );
}

function NoVisits({ page: { url }, days }: { readonly page: BioPage; readonly days: number }) {
  if (url === null)
    return (
      <EmptyState title="Publish your page to see visits" action={<LinkButton to="/bio">Create bio page</LinkButton>}>
        Views and clicks appear here once your bio page has an address.
      </EmptyState>
    );
  return (
    <EmptyState
      title={`No visits in ${days} days`}
      action={
        <LinkButton to="/bio" kind="quiet">
          View bio page
        </LinkButton>
      }
    >
      Share your address, and visits will show up here.
    </EmptyState>
  );
}

function Pending() {
  return (
    <div className="report-pending" role="status" aria-label="Loading the figures">
      <i className="of-figures" />
      <i className="of-chart" />
      <i className="of-chart" />
    </div>
  );
}
