import { getRouteApi, lazyRouteComponent } from "@tanstack/react-router";
import { Suspense } from "react";
import { useOperationPages } from "../../api/use-operation.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { EmptyState, ErrorNote, PendingLines, PageHeader, PendingParts } from "../../components/page.tsx";
import { ExtensionSteps } from "../../components/extension-steps.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { useReadOn } from "./compare/key-figures.ts";
import { ExampleDownload, useImportReport } from "./import/use-import-report.tsx";
import { LibraryAccounts, useLibraryAccounts } from "./library-accounts.tsx";
import { ReportList } from "./report-list.tsx";

const route = getRouteApi("/shell/reports");
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
  const handles = new Set(reports?.map(({ handle }) => handle));
  const libraryAccounts = useLibraryAccounts();
  const handlePart = query.trim().replace(/^@/, "").toLowerCase();
  const visibleReports = reports?.filter(({ handle }) => handle.toLowerCase().includes(handlePart));
  return (
    <>
      <PageHeader title="Reports" sub="What the accounts you follow post, and what works for them.">
        {handles.size > 1 && (
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
        <ReportList
          reports={visibleReports}
          scripts={new Map(libraryAccounts.map(({ handle, scripts }) => [handle, scripts]))}
        />
      )}
      {reports?.length === 0 && <FirstReport />}
      {reports !== undefined && !searching && (
        <LibraryAccounts accounts={libraryAccounts.filter(({ handle }) => !handles.has(handle))} />
      )}
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

const analyzeStep = (
  <>
    <b>Analyze</b>: open an account’s profile on Instagram and choose Analyze. The report appears here.
  </>
);

const CreateReport = () => (
  <details>
    <summary className="semibold">Create a report with the browser extension</summary>
    <ExtensionSteps>{analyzeStep}</ExtensionSteps>
  </details>
);

/** The way to the first report, beside each other where there is room. */
const FirstReport = () => (
  <section className="stack first-report" aria-labelledby="first-report">
    <div>
      <h2 id="first-report">Create a report with the browser extension</h2>
      <p className="meta">
        Or import a file of reels that you collected. <ExampleDownload />
      </p>
    </div>
    <ExtensionSteps isMain>{analyzeStep}</ExtensionSteps>
  </section>
);
