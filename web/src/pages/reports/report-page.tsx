import { getRouteApi } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { DeleteReportDialog } from "./delete-report-dialog.tsx";
import { ReportHooks } from "./report-hooks.tsx";
import { SinceLastReport } from "./compare/since-last-report.tsx";
import { ReportPending } from "./report-pending.tsx";
import { ReportView } from "./report-view.tsx";

const route = getRouteApi("/shell/reports/$reportId");

export function ReportPage() {
  const { reportId } = route.useParams();
  const { data: report, error, refetch } = useOperation("getCompetitorReport", { id: reportId });
  const [isDeleting, setDeleting] = useState(false);
  if (report)
    return (
      <>
        <ReportView
          report={report}
          context={
            <>
              <ReportHooks report={report} />
              <SinceLastReport report={report} />
            </>
          }
          actions={
            <Button kind="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          }
        />
        <DeleteReportDialog report={report} open={isDeleting} onClose={() => setDeleting(false)} />
      </>
    );
  return (
    <>
      <PageHeader title="Report" crumb={{ to: "/reports", label: "Reports" }} />
      {error?.code === "notFound" ? (
        <EmptyState
          title="Report not found"
          action={
            <LinkButton to="/reports" kind="quiet">
              Show all reports
            </LinkButton>
          }
        >
          Check the address. The report may have been deleted, or it belongs to another account.
        </EmptyState>
      ) : (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      )}
      {!error && <ReportPending />}
    </>
  );
}
