import { getRouteApi } from "@tanstack/react-router";
import type { CompetitorReport } from "@reelscript/contract";
import { useOperation } from "../../api/use-operation.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Handle } from "../../components/handle.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { Moment } from "../../components/moment.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { counted } from "../../format/number.ts";
import { downloadText } from "./download-text.ts";
import { Engagement } from "./engagement.tsx";
import { Insights } from "./insights.tsx";
import { ReelTable } from "./reel-table.tsx";
import { dayFormat } from "./day-format.ts";
import { ReportFigures } from "./report-figures.tsx";
import { ReportPending } from "./report-pending.tsx";
import { topReelsCsv } from "./top-reels-csv.ts";
import { TopReels } from "./top-reels.tsx";
import { ViewsOverTime } from "./views-over-time.tsx";
import { WhenItLands } from "./when-it-lands.tsx";

const route = getRouteApi("/shell/reports/$reportId");
const shownReels = 5;

export function ReportPage() {
  const { reportId } = route.useParams();
  const { data: report, error, refetch } = useOperation("getCompetitorReport", { id: reportId });
  if (report) return <Report report={report} />;
  return (
    <>
      <PageHeader title="Report" crumb={{ to: "/reports", label: "Reports" }} />
      {error?.code === "notFound" ? (
        <EmptyState
          title="This report is not here"
          action={
            <LinkButton to="/reports" kind="quiet">
              Show all reports
            </LinkButton>
          }
        >
          The address may be mistyped, or the report belongs to another account.
        </EmptyState>
      ) : (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      )}
      {!error && <ReportPending />}
    </>
  );
}

function Report({ report }: { readonly report: CompetitorReport }) {
  const { handle, topReels } = report;
  const first = topReels.slice(0, shownReels);
  return (
    <>
      <PageHeader
        title={`@${handle}`}
        shown={<Handle name={handle} />}
        sub={<Scope report={report} />}
        picture={<Avatar name={handle} large />}
        crumb={{ to: "/reports", label: "Reports", here: <Moment at={report.createdAt} style="long" /> }}
      >
        {topReels.length > 0 && (
          <>
            <Button
              kind="quiet"
              icon="download"
              aria-label="Download the top reels as CSV"
              onClick={() => downloadText(fileName(report), "text/csv;charset=utf-8", topReelsCsv(topReels))}
            >
              CSV
            </Button>
            <LinkButton to="/transcribe" search={{ urls: first.map(({ url }) => url).join(" ") }}>
              {first.length === 1 ? "Transcribe the top reel" : `Transcribe the top ${first.length}`}
            </LinkButton>
          </>
        )}
      </PageHeader>
      <ReportFigures report={report} />
      {first.length > 0 && <TopReels reels={first} handle={handle} />}
      {report.weeks && <ViewsOverTime weeks={report.weeks} />}
      <div className="two">
        <div className="stack">
          <WhenItLands report={report} />
          <Engagement report={report} />
        </div>
        <Insights sentences={report.insights} />
      </div>
      {topReels.length > 0 && <ReelTable reels={topReels} handle={handle} />}
    </>
  );
}

/** How many reels, and from when to when. */
function Scope({
  report: { reelsAnalyzed, firstPostedAt, lastPostedAt, timezone },
}: {
  readonly report: CompetitorReport;
}) {
  const days =
    firstPostedAt !== undefined && lastPostedAt !== undefined
      ? dayFormat(timezone).formatRange(new Date(firstPostedAt), new Date(lastPostedAt))
      : undefined;
  return (
    <>
      {reelsAnalyzed !== undefined && counted(reelsAnalyzed, "reel", "reels")}
      {reelsAnalyzed !== undefined && days && ", "}
      {days && <bdi>{days}</bdi>}
    </>
  );
}

const fileName = ({ handle, createdAt }: CompetitorReport): string =>
  `${handle.replaceAll(/[^\w.-]/g, "")}-top-reels-${createdAt.slice(0, 10)}.csv`;
