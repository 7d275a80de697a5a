import type { CompetitorReport } from "@reelscript/contract";
import { LinkButton } from "../../components/button.tsx";
import { Avatar, Chip, Handle } from "../../components/inline.tsx";
import { Note } from "../../components/page.tsx";
import { ReportBody, ReportView, Scope } from "./report-view.tsx";
import sampleReport from "./sample-report.json" with { type: "json" };

/** The service computes it from the example collection; a test compares the two. */
const report = sampleReport as CompetitorReport;

export function SampleReportPage() {
  return (
    <ReportView
      report={report}
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

/** The whole sample inside another page. */
export function SampleReport() {
  return (
    <section className="sample-part stack" aria-labelledby="sample-report">
      <div className="row pictured">
        <Avatar name={report.handle} large />
        <div>
          <h2 id="sample-report">
            <Handle name={report.handle} /> <Chip kind="outline">Sample</Chip>
          </h2>
          <p className="meta">
            <Scope report={report} isStored={false} />. The reels are made up; the figures are computed from them as
            yours will be.
          </p>
        </div>
      </div>
      <ReportBody report={report} isStored={false} />
    </section>
  );
}
