import type { CompetitorReport } from "@reelscript/contract";
import { LinkButton } from "../../components/button.tsx";
import { Note } from "../../components/note.tsx";
import { ReportView } from "../reports/report-view.tsx";
import sampleReport from "./sample-report.json" with { type: "json" };

export function SampleReportPage() {
  return (
    <ReportView
      report={sampleReport as CompetitorReport}
      note={
        <Note icon="alert">
          <div className="row wrap asks">
            <p className="grow">This is a sample with made-up reels. It isn’t one of your reports.</p>
            <LinkButton kind="quiet" size="small" to="/reports">
              Create your own
            </LinkButton>
          </div>
        </Note>
      }
    />
  );
}
