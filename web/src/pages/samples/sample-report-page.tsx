import type { CompetitorReport } from "@reelscript/contract";
import { LinkButton } from "../../components/button.tsx";
import { Note } from "../../components/page.tsx";
import { ReportView } from "../reports/report-view.tsx";
import sampleReport from "./sample-report.json" with { type: "json" };

export function SampleReportPage() {
  return (
    <ReportView
      report={sampleReport as CompetitorReport}
      note={
        <Note
          icon="alert"
          actions={
            <LinkButton size="small" to="/reports">
              Create your own
            </LinkButton>
          }
        >
          This is a sample with made-up reels. It isn’t one of your reports.
        </Note>
      }
    />
  );
}
