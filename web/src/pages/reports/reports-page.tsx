import { getRouteApi, lazyRouteComponent, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { useOperationPages } from "../../api/use-operation.ts";
import { Avatar, Handle, Moment } from "../../components/inline.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { EmptyState, ErrorNote, PendingLines, PageHeader, PendingParts } from "../../components/page.tsx";
import { ExtensionSteps } from "../../components/extension-steps.tsx";
import { Icon } from "../../components/icon.tsx";
import { SearchField } from "../../components/search-field.tsx";
import type { Output } from "@reelscript/client/core";
import { counted } from "../../format.ts";
import { keyFigures, useReadOn } from "./compare/key-figures.ts";
import { ExampleDownload, useImportReport } from "./import/use-import-report.tsx";
import { LibraryAccounts } from "./library-accounts.tsx";

const route = getRouteApi("/shell/reports");
const listedFigures = keyFigures.filter(({ name }) => ["Median views", "Engagement", "Reels per week"].includes(name));
/** Loaded only by people without reports. */
const SampleReport = lazyRouteComponent(() => import("./sample-report-page.tsx"), "SampleReport");
/** Fewer reports fit on one screen. */
const fewestToSearch = 8;

export function ReportsPage() {
  const { query = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { button, message, over } = useImportReport();
  const pages = useOperationPages("listReportFigures", {});
  const { data, error, hasNextPage, isFetchingNextPage } = pages;
  // The list can't be searched on the service, so it must be loaded completely before the page can say that a handle isn't in
  // it.
  const searching = query.trim() !== "";
  const { retry } = useReadOn(pages, searching);
  const reports = data?.pages.flatMap((page) => page.reports);
  const handlePart = query.trim().replace(/^@/, "").toLowerCase();
  const visibleReports = reports?.filter(({ handle }) => handle.toLowerCase().includes(handlePart));
  return (
    <>
      <PageHeader title="Reports" sub="What the accounts you follow post, and what works for them.">
        {new Set(reports?.map(({ handle }) => handle)).size > 1 && (
          <LinkButton kind="ink" to="/reports/compare">
            Compare accounts
          </LinkButton>
        )}
        {button}
      </PageHeader>
      {message}
      {over && <div className="drop-here">Drop the file to create a report</div>}
      <ErrorNote error={error} onRetry={retry} />
      {reports !== undefined && (searching || reports.length >= fewestToSearch) && (
        <SearchField
          label="Search reports"
          placeholder="Account handle"
          value={query}
          onChange={(value) => void navigate({ search: { query: value || undefined }, replace: true })}
        />
      )}
      {visibleReports === undefined ? (
        !error && <PendingLines label="Loading reports" count={4} />
      ) : (
        <ReportList reports={visibleReports} />
      )}
      {reports?.length === 0 && (
        <div>
          <h2>No reports yet</h2>
          <p>
            Reports come from the browser extension, or from a file of collected reels. <ExampleDownload />
          </p>
          {!searching && <CreateReport open />}
        </div>
      )}
      {reports !== undefined && !searching && <LibraryAccounts />}
      {reports?.length === 0 && (
        <Suspense fallback={<PendingParts label="Loading the sample" parts={["figures", "chart"]} />}>
          <SampleReport />
        </Suspense>
      )}
      {reports !== undefined && reports.length > 0 && !searching && <CreateReport />}
      {reports?.length !== 0 && visibleReports?.length === 0 && !hasNextPage && (
        <EmptyState
          title={
            <>
              No report on <bdi>“{query}”</bdi>
            </>
          }
          action="Clear search"
          onAction={() => void navigate({ search: {}, replace: true })}
        >
          Try part of the handle.
        </EmptyState>
      )}
      {hasNextPage && !searching && (
        <p>
          <Button busy={isFetchingNextPage && "Loading…"} onClick={() => void pages.fetchNextPage()}>
            Show older reports
          </Button>
        </p>
      )}
    </>
  );
}

const CreateReport = ({ open = false }: { readonly open?: boolean }) => (
  <ExtensionSteps summary="Create a report with the browser extension" open={open}>
    <b>Analyze</b>: open an account’s profile on Instagram and choose Analyze. The report appears here.
  </ExtensionSteps>
);

function ReportList({ reports }: { readonly reports: Output<"listReportFigures">["reports"] }) {
  if (reports.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const { handle } of reports) counts.set(handle, (counts.get(handle) ?? 0) + 1);
  return (
    <div className="reports">
      <div className="list-figures meta hidden-when-narrow" aria-hidden="true">
        {listedFigures.map(({ name }) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ul aria-label="Reports">
        {reports.map(({ id, handle, createdAt, reelsAnalyzed, metrics }) => (
          <li key={id} className="row">
            <Avatar name={handle} />
            <div className="subject grow">
              <Link className="covering" to="/reports/$reportId" params={{ reportId: id }}>
                <Handle name={handle} />
              </Link>
              <p className="meta">
                {reelsAnalyzed !== undefined && <>{counted(reelsAnalyzed, "reel", "reels")}, </>}
                <Moment at={createdAt} />
                {listedFigures.map(
                  ({ name, metric, format }) =>
                    metrics[metric] !== undefined &&
                    metric !== "postingFrequencyPerWeek" && (
                      <span key={name} className="only-when-narrow">
                        {", "}
                        <span className="number">
                          <bdi>{format(metrics[metric])}</bdi> {name.toLowerCase()}
                        </span>
                      </span>
                    ),
                )}
                {(counts.get(handle) ?? 0) > 1 && (
                  <>
                    {", "}
                    <Link to="/reports/account/$handle" params={{ handle }}>
                      over time<span className="visually-hidden"> of @{handle}</span>
                    </Link>
                  </>
                )}
              </p>
            </div>
            <dl className="list-figures hidden-when-narrow">
              {listedFigures.map(({ name, metric, format }) => (
                <div key={name}>
                  <dt className="visually-hidden">{name}</dt>
                  <dd className="semibold">
                    {metrics[metric] === undefined ? <UnknownFigure /> : format(metrics[metric])}
                  </dd>
                </div>
              ))}
            </dl>
            <Icon name="forward" small />
          </li>
        ))}
      </ul>
    </div>
  );
}

const UnknownFigure = () => (
  <span className="muted">
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">Not available</span>
  </span>
);
