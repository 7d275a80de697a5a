import type { CompetitorReport } from "@reelscript/contract";
import { Avatar, Handle, Moment, CaptionText } from "../../components/inline.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { PageHeader } from "../../components/page.tsx";
import { counted, exactNumber, percent, shortNumber, locale } from "../../format.ts";
import { downloadFile } from "../../components/download-file.ts";
import { ComparisonFigures, ReelTable, topReelsCsv } from "./reel-table.tsx";
import { Takeaways, TopReels, leadOf } from "./highlights.tsx";
import { ViewsOverTime, WhenItLands } from "./report-charts.tsx";
import type { ReactNode } from "react";
import { BarList, Figures } from "../../charts/chart-figure.tsx";

const shownReels = 5;

interface Props {
  readonly report: CompetitorReport;
  readonly note?: ReactNode;
  readonly context?: ReactNode;
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
              icon="download"
              aria-label="Download the top reels as CSV"
              onClick={() =>
                downloadFile(fileName(report), new Blob([topReelsCsv(topReels)], { type: "text/csv;charset=utf-8" }))
              }
            >
              CSV
            </Button>
            {note === undefined && (
              <LinkButton
                kind="ink"
                to="/transcribe"
                search={{ urls: first.map(({ url }) => url).join(" "), report: report.id }}
              >
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
      <div className="tiles" style={{ "--least": "360px", "--gap": "24px" }}>
        <WhenItLands report={report} />
        <Engagement report={report} />
      </div>
      <AllFigures report={report} />
    </>
  );
}

function AllFigures({ report: { topReels, handle, comparisons = [] } }: { readonly report: CompetitorReport }) {
  if (topReels.length === 0 && comparisons.length === 0) return undefined;
  return (
    <section className="stack" aria-labelledby="all-figures">
      <h2 id="all-figures">All figures</h2>
      <ComparisonFigures comparisons={comparisons} />
      {topReels.length > 0 && <ReelTable reels={topReels} handle={handle} />}
    </section>
  );
}

function Scope({ report }: { readonly report: CompetitorReport }) {
  const { reelsAnalyzed, firstPostedAt, lastPostedAt, timezone } = report;
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

/** A format of days in a report's own time zone; in the reader's where the browser does not know it. */
function dayFormat(timezone: string): Intl.DateTimeFormat {
  const options = { day: "numeric", month: "short", year: "numeric" } as const;
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone });
  } catch {
    return new Intl.DateTimeFormat(locale, options);
  }
}

function ReportFigures({ report: { metrics } }: { readonly report: CompetitorReport }) {
  const { avgEngagementRate: rate, postingFrequencyPerWeek: perWeek } = metrics;
  const figures = [
    ...typicalOf("views", metrics.medianViews, metrics.avgViews),
    ...typicalOf("likes", metrics.medianLikes, metrics.avgLikes),
    ...typicalOf("comments", metrics.medianComments, metrics.avgComments),
    ...(rate === undefined
      ? []
      : [{ name: "Engagement", value: <bdi>{percent(rate)}</bdi>, small: "likes and comments per view" }]),
    ...(perWeek === undefined
      ? []
      : [{ name: "Reels per week", value: <bdi>{exactNumber(Number(perWeek.toFixed(1)))}</bdi> }]),
  ];
  return figures.length > 0 && <Figures label="Key figures" figures={figures} />;
}

const typicalOf = (name: string, median: number | undefined, average: number | undefined) =>
  median === undefined || average === undefined
    ? []
    : [
        {
          name: `Typical ${name}`,
          value: <bdi title={exactNumber(Math.round(median))}>{shortNumber(median)}</bdi>,
          small: `average ${shortNumber(average)}`,
        },
      ];

function Engagement({ report: { topReels, metrics, handle } }: { readonly report: CompetitorReport }) {
  const rated = topReels
    .flatMap((reel) => (reel.engagementRate === undefined ? [] : [{ ...reel, rate: reel.engagementRate }]))
    .toSorted((one, other) => other.rate - one.rate);
  if (rated.length < 2) return undefined;
  const average = metrics.avgEngagementRate;
  return (
    <section className="card stack tight" aria-labelledby="engagement">
      <div>
        <h2 id="engagement">Engagement of the top reels</h2>
        <p className="meta">
          Likes and comments as a share of views.{" "}
          {average !== undefined && (
            <>
              <i className="swatch inline-swatch" /> The average of all reels is {percent(average)}.
            </>
          )}
        </p>
      </div>
      <BarList
        label="Engagement of the top reels"
        mark={average}
        items={rated.map(({ url, caption, rate }) => ({
          key: url,
          name: (
            <span className="one-line" dir="auto">
              <CaptionText text={leadOf(caption, handle)} />
            </span>
          ),
          value: rate,
          shown: percent(rate),
        }))}
      />
    </section>
  );
}
