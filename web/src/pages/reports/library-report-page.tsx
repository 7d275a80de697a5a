import { getRouteApi, Link } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { EmptyState, ErrorNote, Note, PageHeader, PendingParts } from "../../components/page.tsx";
import { ReportView } from "./report-view.tsx";

const route = getRouteApi("/shell/reports/library/$handle");

/** The report of an account, drawn from the scripts that the library has of it. */
export function LibraryReportPage() {
  const { handle } = route.useParams();
  const { timezone } = route.useSearch();
  const { data, error, refetch } = useOperation("getCompetitorReport", {
    id: `@${handle}`,
    from: "library",
    ...(timezone !== undefined && { timezone }),
  });
  if (data)
    return (
      <ReportView
        report={data}
        note={
          <Note icon="alert">
            {data.missing?.join(" ")} <OwnTimezone handle={handle} current={data.timezone} />
          </Note>
        }
      />
    );
  return (
    <>
      <PageHeader title="Report from your library" crumb={{ to: "/reports", label: "Reports" }} />
      {error?.code === "notFound" ? (
        <EmptyState title="No transcripts of this account" to="/transcribe" action="Transcribe a reel">
          Transcribe some of its reels. A report compares at least 12.
        </EmptyState>
      ) : (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      )}
      {!error && <PendingParts label="Drawing the report" parts={["figures", "chart", "chart"]} />}
    </>
  );
}

/** Offers the browser's time zone where the report has another one. */
function OwnTimezone({ handle, current }: { readonly handle: string; readonly current: string }) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone === current) return undefined;
  return (
    <Link
      to="/reports/library/$handle"
      params={{ handle }}
      search={{ timezone: timeZone }}
      replace
      resetScroll={false}
      className="link screen-only"
    >
      Show posting times in {timeZone.replaceAll("_", " ")}
    </Link>
  );
}
