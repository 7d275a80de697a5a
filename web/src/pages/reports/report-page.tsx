import { getRouteApi, useNavigate, Link } from "@tanstack/react-router";
import { queryClient } from "../../api/call.ts";
import { useOperation, useChange } from "../../api/use-operation.ts";
import { EmptyState, ErrorNote, PendingParts, PageHeader } from "../../components/page.tsx";
import { Button } from "../../components/button.tsx";
import { useState } from "react";
import { SinceLastReport } from "./compare/since-last-report.tsx";
import { ReportView } from "./report-view.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { showToast } from "../../components/toast.tsx";
import type { CompetitorReport } from "@reelscript/contract";
import { counted, exactNumber, shortNumber, timesTypical } from "../../format.ts";

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
    stale: ["listCompetitorReports", "listReportFigures"],
    onDone: async () => {
      await navigate({ to: "/reports", replace: true });
      // The account's newest report is another one now, too.
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

/** It appears after the page did, when the browser has already looked for the address's place. */
function showWhenNamed(section: HTMLElement | null): void {
  if (window.location.hash === "#report-hooks") section?.scrollIntoView();
}

function ReportHooks({ report: { id, topReels, metrics } }: { readonly report: CompetitorReport }) {
  const { data } = useOperation("listReportHooks", { id }, { staleTime: 0 });
  if (data === undefined || data.hooks.length === 0) return undefined;
  const missing = topReels.length - data.inLibrary;
  return (
    <section aria-labelledby="report-hooks" ref={showWhenNamed}>
      <h2 id="report-hooks" className="section-title">
        How they begin
      </h2>
      <ol className="tiles hooks" style={{ "--least": "200px" }}>
        {data.hooks.map(({ url, scriptId, language, text }) => {
          const views = topReels.find((reel) => reel.url === url)?.views;
          return (
            <li key={url} className="stack">
              {views !== undefined && (
                <p className="row wrap" title={`${exactNumber(views)} views`}>
                  <b>{shortNumber(views)} views</b>
                  {metrics.medianViews ? (
                    <span className="meta">{timesTypical(views / metrics.medianViews)}</span>
                  ) : undefined}
                </p>
              )}
              <Link to="/scripts/$scriptId" params={{ scriptId }} lang={language} dir="auto">
                {text}
              </Link>
            </li>
          );
        })}
      </ol>
      {missing > 0 && (
        <p className="meta">
          {counted(missing, "top reel isn’t", "top reels aren’t")} in your library. Transcribe{" "}
          {missing === 1 ? "it" : "them"} to see more.
        </p>
      )}
    </section>
  );
}
