import type { CompetitorReport } from "@reelscript/contract";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { Handle } from "../../components/handle.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { Moment } from "../../components/moment.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { counted } from "../../format/number.ts";
import { downloadText } from "./download-text.ts";
import { ComparisonFigures } from "./comparison-figures.tsx";
import { Engagement } from "./engagement.tsx";
import { ReelTable } from "./reel-table.tsx";
import { dayFormat } from "./day-format.ts";
import { ReportFigures } from "./report-figures.tsx";
import { Takeaways } from "./takeaways.tsx";
import { topReelsCsv } from "./top-reels-csv.ts";
import { TopReels } from "./top-reels.tsx";
import { ViewsOverTime } from "./views-over-time.tsx";
import { WhenItLands } from "./when-it-lands.tsx";
import type { ReactNode } from "react";

const shownReels = 5;

interface Props {
  readonly report: CompetitorReport;
  /** Said before it: that it is a sample. */
  readonly note?: ReactNode;
  /** How it differs from the one before, and how its reels begin. */
  readonly context?: ReactNode;
  /** What else can be done with it. */
  readonly actions?: ReactNode;
}

export function ReportView({ report, note, context, actions }: Props) {
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
            {note === undefined && (
              <LinkButton to="/transcribe" search={{ urls: first.map(({ url }) => url).join(" ") }}>
                {first.length === 1 ? "Transcribe the top reel" : `Transcribe the top ${first.length}`}
              </LinkButton>
            )}
          </>
        )}
        {actions}
      </PageHeader>
      {note}
      <Takeaways report={report} />
      <ReportFigures report={report} />
      {first.length > 0 && <TopReels reels={first} handle={handle} />}
      {context}
      {report.weeks && <ViewsOverTime weeks={report.weeks} />}
      <div className="two-columns">
        <WhenItLands report={report} />
        <Engagement report={report} />
      </div>
      <AllFigures report={report} />
    </>
  );
}

function AllFigures({ report: { topReels, handle, comparisons } }: { readonly report: CompetitorReport }) {
  if (topReels.length === 0 && comparisons === undefined) return undefined;
  return (
    <section className="stack all-figures" aria-labelledby="all-figures">
      <h2 id="all-figures">All figures</h2>
      <ComparisonFigures comparisons={comparisons} />
      {topReels.length > 0 && <ReelTable reels={topReels} handle={handle} />}
    </section>
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
