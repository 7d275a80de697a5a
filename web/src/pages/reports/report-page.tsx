import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { queryClient } from "../../api/call.ts";
import { useOperation, useChange } from "../../api/use-operation.ts";
import { EmptyState, ErrorNote, PendingParts, PageHeader } from "../../components/page.tsx";
import { Button } from "../../components/button.tsx";
import { useState } from "react";
import { SinceLastReport } from "./compare/since-last-report.tsx";
import { ReportView } from "./report-view.tsx";
import { ShareReport } from "../../components/share-links.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { showToast } from "../../components/toast.tsx";

const route = getRouteApi("/shell/reports/$reportId");

export function ReportPage() {
  const { reportId } = route.useParams();
  const { data: report, error, refetch } = useOperation("getCompetitorReport", { id: reportId });
  const { data: hooks } = useOperation("listReportHooks", { id: reportId }, { staleTime: 0 });
  const [isDeleting, setDeleting] = useState(false);
  if (report)
    return (
      <>
        <ReportView
          report={report}
          hooks={hooks}
          context={<SinceLastReport report={report} />}
          actions={
            <>
              <ShareReport id={report.id} />
              <Button kind="danger" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            </>
          }
        />
        {isDeleting && <DeleteReportDialog report={report} onClose={() => setDeleting(false)} />}
      </>
    );
  return (
    <>
      <PageHeader title="Report" crumb={{ to: "/reports", label: "Reports" }} />
      {error?.code === "notFound" ? (
        <EmptyState title="Report not found" to="/reports" action="Show all reports">
          Check the address. The report may have been deleted, or it belongs to another account.
        </EmptyState>
      ) : (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      )}
      {!error && <PendingParts label="Loading the report" parts={["figures", "chart", "chart"]} />}
    </>
  );
}

interface DeleteProps {
  readonly report: { readonly id: string; readonly handle: string };
  readonly onClose: () => void;
}

function DeleteReportDialog({ report: { id, handle }, onClose }: DeleteProps) {
  const navigate = useNavigate();
  const remove = useChange("deleteReport", {
    stale: ["listCompetitorReports", "listReportFigures", "listReportLinks"],
    onDone: async () => {
      await navigate({ to: "/reports", replace: true });
      // The account's newest report has changed, too.
      queryClient.removeQueries({ queryKey: ["getCompetitorReport"] });
      showToast(`The report of @\u2068${handle}\u2069 is deleted`);
    },
  });
  return (
    <ConfirmDialog
      title="Delete this report?"
      change={remove}
      onClose={onClose}
      onConfirm={() => remove.mutate({ id })}
      action="Delete report"
      busy="Deleting…"
    >
      It can’t be restored. The posts it used stay used.
    </ConfirmDialog>
  );
}
