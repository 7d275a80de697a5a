import { getRouteApi, Link } from "@tanstack/react-router";
import type { BioAnalytics, BioPage } from "@reelscript/contract";
import { operationAddress } from "../../api/call.ts";
import { useOperation } from "../../api/use-operation.ts";
import { EmptyState, ErrorNote, PendingParts, PageHeader } from "../../components/page.tsx";
import { AnchorButton, LinkButton } from "../../components/button.tsx";
import { calendarDays, exactNumber } from "../../format.ts";
import { analyticsPeriods } from "../page-search.ts";
import { LinkTable } from "./link-table.tsx";
import { SampleAnalytics } from "./sample-analytics.tsx";
import { Visitors, ViewsAndClicks, AnalyticsFigures, Sources } from "./analytics-charts.tsx";

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
      <PageHeader title="Analytics" sub={<Sub page={page.data} analytics={analytics.data} />}>
        {ready && page.data?.url != null && (
          <AnchorButton icon="download" href={operationAddress("getBioAnalytics", { days, format: "csv" })} download>
            Download CSV
          </AnchorButton>
        )}
      </PageHeader>
      {/* Without a page there is nothing to choose a period of. */}
      {page.data?.url !== null && (
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
      )}
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
        !error && <PendingParts label="Loading the figures" parts={["figures", "chart", "chart"]} />
      )}
    </>
  );
}

interface SubProps {
  readonly page: BioPage | undefined;
  readonly analytics: BioAnalytics | undefined;
}

function Sub({ page, analytics }: SubProps) {
  const url = page?.url;
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
  readonly pending: boolean;
}

function Content({ analytics, page, pending }: ContentProps) {
  const visited = analytics.views + analytics.clicks + analytics.previous.views + analytics.previous.clicks > 0;
  const counts = <HowCounted analytics={analytics} />;
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
      <>
        <section className="stack tight" aria-labelledby="first-page">
          <div>
            <h2 id="first-page">Publish a bio page to see who visits it</h2>
            <p className="subtitle">Views and clicks appear here as they happen, without cookies.</p>
          </div>
          <p>
            <LinkButton kind="ink" to="/bio">
              Create bio page
            </LinkButton>
          </p>
        </section>
        <SampleAnalytics />
      </>
    );
  return (
    <EmptyState title={`No visits in ${days} days`} to="/bio" action="View bio page">
      Share your address, and visits will show up here.
    </EmptyState>
  );
}

const names: Readonly<Record<keyof BioAnalytics["definitions"], string>> = {
  day: "Day",
  views: "Views",
  clicks: "Clicks",
  clickRate: "Clicks per view",
  dailyUniqueVisitors: "Daily visitors",
  dailyUniqueClickers: "Who clicked",
  visitorClickRate: "Visitors who click",
  countedSince: "Counted since",
  previous: "Before",
  share: "Share",
  referrers: "Came from",
  countries: "Countries",
  devices: "Devices",
  excluded: "Excluded traffic",
};

function HowCounted({ analytics: { excluded, definitions } }: { readonly analytics: BioAnalytics }) {
  const left = [
    ["Bots", excluded.bots, "programs, crawlers, link previews"],
    ["Prefetches", excluded.prefetch, "loaded before a visit"],
    ["Your own visits", excluded.owner, "while you’re signed in"],
    ["Traffic spikes", excluded.floods, "too many visits from one network"],
  ] as const;
  return (
    <section className="card stack tight" aria-labelledby="left-out">
      <div>
        <h2 id="left-out">Excluded traffic</h2>
        <p className="meta">Requests not included in the figures above.</p>
      </div>
      <dl className="left-out">
        {left.map(([name, count, what]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="row wrap">
              <b>{exactNumber(count)}</b>
              <small className="meta">{what}</small>
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>How this is counted</summary>
        <dl className="stack tight definitions">
          {(Object.keys(names) as (keyof typeof names)[]).map((key) => (
            <div key={key}>
              <dt className="semibold">{names[key]}</dt>
              <dd>{definitions[key]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
