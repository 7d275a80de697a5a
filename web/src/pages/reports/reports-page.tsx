import { getRouteApi, Link } from "@tanstack/react-router";
import type { CompetitorReportSummary } from "@reelscript/contract";
import { useEffect } from "react";
import { useOperationPages } from "../../api/use-operation.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Handle } from "../../components/handle.tsx";
import { Icon } from "../../components/icon.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { Moment } from "../../components/moment.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { counted } from "../../format/number.ts";
import { useImportReport } from "./use-import-report.tsx";

const route = getRouteApi("/shell/reports");
/** Fewer reports are seen at one look. */
const fewestToSearch = 8;

export function ReportsPage() {
  const { query = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { button, message, over } = useImportReport();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useOperationPages("listCompetitorReports", {});
  // The list has no search of its own, so all of it must be here before a handle is said not to be in it.
  const searching = query.trim() !== "";
  // After trouble the next try is the person's.
  const goesOn = searching && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);

  const reports = data?.pages.flatMap((page) => page.reports);
  const wanted = query.trim().replace(/^@/, "").toLowerCase();
  const shown = reports?.filter(({ handle }) => handle.toLowerCase().includes(wanted));
  return (
    <>
      <PageHeader title="Reports" sub="What the accounts you watch post, and what works for them.">
        {button}
      </PageHeader>
      {message}
      {over && <div className="drop-here">Drop the file to make a report of it</div>}
      <ErrorNote error={error} onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())} />
      {reports !== undefined && (searching || reports.length >= fewestToSearch) && (
        <SearchField
          label="Search reports"
          placeholder="Handle of an account"
          value={query}
          onChange={(value) => void navigate({ search: { query: value || undefined }, replace: true })}
        />
      )}
      {shown === undefined ? !error && <Pending /> : <ReportList reports={shown} />}
      {reports?.length === 0 && <NoReports />}
      {reports?.length !== 0 && shown?.length === 0 && !hasNextPage && (
        <EmptyState
          title={
            <>
              No report on <bdi>“{query}”</bdi>
            </>
          }
          action={
            <Button kind="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
              Clear search
            </Button>
          }
        >
          Try a part of the handle.
        </EmptyState>
      )}
      {hasNextPage && !searching && (
        <p>
          <Button kind="quiet" busy={isFetchingNextPage ? "Loading…" : undefined} onClick={() => void fetchNextPage()}>
            Show older reports
          </Button>
        </p>
      )}
    </>
  );
}

function ReportList({ reports }: { readonly reports: readonly CompetitorReportSummary[] }) {
  if (reports.length === 0) return undefined;
  return (
    <ul className="reports" aria-label="Reports">
      {reports.map(({ id, handle, createdAt, reelsAnalyzed }) => (
        <li key={id}>
          <Avatar name={handle} />
          <div className="who">
            <Link to="/reports/$reportId" params={{ reportId: id }}>
              <Handle name={handle} />
            </Link>
            <p className="meta">
              {reelsAnalyzed !== undefined && <>{counted(reelsAnalyzed, "reel", "reels")}, </>}
              <Moment at={createdAt} />
            </p>
          </div>
          <Icon name="forward" small />
        </li>
      ))}
    </ul>
  );
}

function NoReports() {
  return (
    <EmptyState
      title="Nothing here yet"
      action={
        <LinkButton to="/guides/$guideId" params={{ guideId: "read-a-competitor-report" }} kind="quiet">
          How to read a report
        </LinkButton>
      }
    >
      A report is made of the reels that were collected from an account. The browser extension that collects them comes
      with a later release; a file of them can be imported here, or dropped on this page. The guide shows what is in it.
    </EmptyState>
  );
}

function Pending() {
  return (
    <div className="reports" role="status" aria-label="Loading reports">
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="pending-report" aria-hidden="true">
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
