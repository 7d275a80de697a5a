import type { Output } from "@reelscript/client/core";
import { socialPlatforms, type PlatformName } from "@reelscript/contract/values";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ChartFigure } from "../../../charts/chart-figure.tsx";
import { SeriesChart } from "../../../charts/series-chart.tsx";
import { LinkButton } from "../../../components/button.tsx";
import { Avatar, Handle, Moment } from "../../../components/inline.tsx";
import { EmptyState, ErrorNote, Note, PageHeader, PendingParts } from "../../../components/page.tsx";
import { NamedRows, ScrolledTable } from "../../../components/scrolled-table.tsx";
import { counted, exactNumber, longDate, shortDate } from "../../../format.ts";
import { changeOf, keyFigures, useAllReports, type KeyFigure } from "../compare/key-figures.ts";

type ReportFigures = Output<"listReportFigures">["reports"][number];

const route = getRouteApi("/shell/reports/account/$handle");

/** All reports on one account of one platform, and how its key figures changed. */
export function SeriesPage() {
  const { handle } = route.useParams();
  const { platform } = route.useSearch();
  const { reports, error, retry } = useAllReports({ handle });
  const header = (
    <PageHeader
      title={`@${handle}`}
      titleContent={<Handle name={handle} />}
      sub={reports && spanOf(reports)}
      picture={<Avatar name={handle} large />}
      crumb={{ to: "/reports", label: "Reports", here: "Over time" }}
    />
  );
  if (reports === undefined)
    return (
      <>
        {header}
        <ErrorNote error={error} onRetry={retry} />
        {!error && <PendingParts label="Loading the reports" parts={["figures", "chart", "chart"]} />}
      </>
    );
  if (reports.length === 0)
    return (
      <>
        {header}
        <EmptyState title="No report of this account" to="/reports" action="Show all reports">
          Check the handle. Its reports may have been deleted, or they belong to another account.
        </EmptyState>
      </>
    );
  const platforms = platformsOf(reports);
  const selectedPlatform = platforms.length > 1 ? (platform ?? platforms[0]) : undefined;
  return (
    <>
      {header}
      {platforms.length > 1 && (
        <PlatformTabs handle={handle} platforms={platforms} selectedPlatform={selectedPlatform} />
      )}
      <Series
        reports={reports
          .filter((report) => selectedPlatform === undefined || report.platform === selectedPlatform)
          .toReversed()}
      />
    </>
  );
}

function spanOf(reports: readonly ReportFigures[]): string {
  const newest = reports[0];
  const oldest = reports.at(-1);
  if (newest === undefined || oldest === undefined) return "No report";
  const count = counted(reports.length, "report", "reports");
  return newest === oldest
    ? `${count}, ${longDate(newest.createdAt)}`
    : `${count}, ${longDate(oldest.createdAt)} to ${longDate(newest.createdAt)}`;
}

/** Platforms of the reports, starting with the newest report's; the same handle may be another account elsewhere. */
const platformsOf = (reports: readonly ReportFigures[]): readonly PlatformName[] => [
  ...new Set(reports.flatMap(({ platform }) => platform ?? [])),
];

interface TabsProps {
  readonly handle: string;
  readonly platforms: readonly PlatformName[];
  readonly selectedPlatform: PlatformName | undefined;
}

const PlatformTabs = ({ handle, platforms, selectedPlatform }: TabsProps) => (
  <nav className="tabs" aria-label="Platforms">
    {platforms.map((platform) => (
      <Link
        key={platform}
        to="/reports/account/$handle"
        params={{ handle }}
        search={{ platform }}
        aria-current={platform === selectedPlatform ? "page" : undefined}
      >
        {socialPlatforms[platform].name}
      </Link>
    ))}
  </nav>
);

/** Reports, oldest first. */
function Series({ reports }: { readonly reports: readonly ReportFigures[] }) {
  const figures = seriesFigures(reports);
  const newest = reports.at(-1);
  return (
    <>
      {reports.length === 1 && newest && (
        <Note
          icon="page"
          actions={
            <LinkButton size="small" to="/reports/$reportId" params={{ reportId: newest.id }}>
              Open the report
            </LinkButton>
          }
        >
          There is one report so far. Create another in a month, and this page shows what changed.
        </Note>
      )}
      {reports.every(({ metrics }) => metrics.avgViews === undefined && metrics.avgLikes === undefined) && (
        <Note icon="alert">
          The views and likes of this account are hidden, so nothing shows how well its reels do.
        </Note>
      )}
      {reports.length > 1 && (
        <div className="tiles fitted">
          {figures.map((figure) => (
            <FigureOverTime key={figure.name} figure={figure} reports={reports} />
          ))}
        </div>
      )}
      <ReportTable reports={reports.toReversed()} figures={figures} />
    </>
  );
}

/** The key figures that have a chart, as far as they are known; likes if views are hidden. */
function seriesFigures(reports: readonly ReportFigures[]): readonly KeyFigure[] {
  const isKnown = (name: KeyFigure["metric"]): boolean => reports.some(({ metrics }) => metrics[name] !== undefined);
  const views = isKnown("medianViews") ? "medianViews" : isKnown("avgViews") ? "avgViews" : "medianLikes";
  const drawn: readonly KeyFigure["metric"][] = [views, "avgEngagementRate", "postingFrequencyPerWeek"];
  return keyFigures.filter(({ metric }) => drawn.includes(metric) && isKnown(metric));
}

interface FigureProps {
  readonly figure: KeyFigure;
  readonly reports: readonly ReportFigures[];
}

function FigureOverTime({ figure, reports }: FigureProps) {
  const { name, metric, format } = figure;
  const values = reports.map(({ metrics }) => metrics[metric] ?? null);
  const first = reports[0]!; // safe: there are two at least
  const last = reports.at(-1)!;
  const day = ({ createdAt }: ReportFigures): string => longDate(createdAt);
  const valueOf = (index: number): string => (values[index] == null ? "Not available" : format(values[index]));
  const missing = values.filter((value) => value === null).length;
  return (
    <ChartFigure
      title={name}
      {...(values.at(-1) != null && {
        newest: { value: valueOf(values.length - 1), change: changeSinceFirst(figure, reports) },
      })}
      sub={missing > 0 && `Not available in ${counted(missing, "report", "reports")}.`}
    >
      <SeriesChart
        name={`${name}, report by report`}
        sentence={`${name} from ${day(first)} (${valueOf(0)}) to ${day(last)} (${valueOf(values.length - 1)}).`}
        moments={reports.map(({ createdAt }) => Date.parse(createdAt))}
        values={values}
        labels={reports.map(({ createdAt }) => shortDate(createdAt))}
        format={format}
        texts={(index) => [day(reports[index]!), valueOf(index)]}
      />
    </ChartFigure>
  );
}

/** `+40% since Nov 2`, from the first report with this figure to the newest. */
function changeSinceFirst(figure: KeyFigure, reports: readonly ReportFigures[]): string | undefined {
  const figures = reports.flatMap(({ createdAt, metrics }) => {
    const value = metrics[figure.metric];
    return value === undefined ? [] : [{ createdAt, value }];
  });
  const [first] = figures;
  const last = figures.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const change = changeOf(figure, last.value, first.value);
  return `${change === "none" ? "unchanged" : change} since ${shortDate(first.createdAt)}`;
}

/** Reports, newest first. */
function ReportTable({
  reports,
  figures,
}: {
  readonly reports: readonly ReportFigures[];
  readonly figures: readonly KeyFigure[];
}) {
  return (
    <section className="stack tight" aria-labelledby="reports-of-account">
      <div>
        <h2 id="reports-of-account">Reports</h2>
        {reports.length > 1 && (
          <p className="meta">
            Reports may contain some of the same reels, so figures change less than the account does.
          </p>
        )}
      </div>
      <ScrolledTable className="side-by-side series" headingId="reports-of-account">
        <NamedRows
          columns={["Report of", { figures: "Reels" }, ...figures.map(({ name }) => ({ figures: name }))]}
          rows={reports.map(({ id, createdAt, reelsAnalyzed, metrics }): [ReactNode, ...ReactNode[]] => [
            <Link key={id} to="/reports/$reportId" params={{ reportId: id }}>
              <Moment at={createdAt} style="long" />
            </Link>,
            reelsAnalyzed === undefined ? "" : exactNumber(reelsAnalyzed),
            ...figures.map(({ metric, format }) =>
              metrics[metric] === undefined ? "Not available" : format(metrics[metric]),
            ),
          ])}
        />
      </ScrolledTable>
    </section>
  );
}
