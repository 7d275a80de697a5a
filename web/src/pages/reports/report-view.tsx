import type { CompetitorReport } from "@reelscript/contract";
import { Link } from "@tanstack/react-router";
import { Avatar, Handle, Moment } from "../../components/inline.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { PageHeader } from "../../components/page.tsx";
import { counted, exactNumber, percent, shortEstimate, shortNumber, locale } from "../../format.ts";
import { downloadFile } from "../../components/download-file.ts";
import { KindsOfReels } from "./kinds-of-reels.tsx";
import { ReelTable, topReelsCsv } from "./reel-table.tsx";
import { NextPosts } from "./next-posts.tsx";
import { PrintReport } from "./print-report.tsx";
import { HowChecked, ReportNotes, WhyReport } from "./report-findings.tsx";
import { Outliers, TopReels, type ReportHooks } from "./top-reels.tsx";
import { ViewsOverTime, WhenItLands } from "./report-charts.tsx";
import { useState, type ReactNode } from "react";
import { Figures } from "../../charts/chart-figure.tsx";

const transcribedReels = 5;

interface Props {
  readonly report: CompetitorReport;
  readonly hooks?: ReportHooks | undefined;
  /** A note on reports that aren't stored: they have no page over time, and their reels can't be transcribed from here. */
  readonly note?: ReactNode;
  readonly context?: ReactNode;
  readonly actions?: ReactNode;
}

export function ReportView({ report, hooks, note, context, actions }: Props) {
  const { handle, topReels } = report;
  const first = topReels.slice(0, transcribedReels);
  const isStored = note === undefined;
  const [printTitle, setPrintTitle] = useState("");
  return (
    <>
      {printTitle !== "" && (
        <p className="print-title print-only" dir="auto">
          {printTitle}
        </p>
      )}
      <PageHeader
        title={`@${handle}`}
        titleContent={<Handle name={handle} />}
        sub={<Scope report={report} isStored={isStored} />}
        picture={<Avatar name={handle} large />}
        crumb={{ to: "/reports", label: "Reports", here: <Moment at={report.createdAt} style="long" /> }}
      >
        {topReels.length > 0 && isStored && (
          <LinkButton
            kind="ink"
            to="/transcribe"
            search={{ urls: first.map(({ url }) => url).join(" "), report: report.id }}
          >
            {first.length === 1 ? "Transcribe the top reel" : `Transcribe the top ${first.length}`}
          </LinkButton>
        )}
        <PrintReport title={printTitle} onTitle={setPrintTitle} />
        {topReels.length > 0 && (
          <Button
            icon="download"
            aria-label="Download the top reels as CSV"
            onClick={() =>
              downloadFile(fileName(report), new Blob([topReelsCsv(topReels)], { type: "text/csv;charset=utf-8" }))
            }
          >
            CSV
          </Button>
        )}
        {actions}
      </PageHeader>
      {note}
      <ReportBody report={report} hooks={hooks} context={context} isStored={isStored} />
    </>
  );
}

interface BodyProps {
  readonly report: CompetitorReport;
  readonly hooks?: ReportHooks | undefined;
  readonly context?: ReactNode;
  readonly isStored: boolean;
}

/** A report as a manager reads it: what to do, why, the figures, and closed what only those need who check it. */
export function ReportBody({ report, hooks, context, isStored }: BodyProps) {
  const { topReels, handle, weeks } = report;
  return (
    <>
      <NextPosts report={report} />
      <WhyReport report={report} />
      <ReportFigures report={report} />
      <ReportNotes report={report} />
      <KindsOfReels report={report} />
      {topReels.length > 0 && <TopReels report={report} hooks={hooks} isStored={isStored} />}
      <Outliers report={report} />
      {context}
      {weeks && <ViewsOverTime weeks={weeks} />}
      <WhenItLands report={report} />
      {topReels.length > 0 && <ReelTable reels={topReels} handle={handle} />}
      <HowChecked report={report} />
    </>
  );
}

export function Scope({ report, isStored }: { readonly report: CompetitorReport; readonly isStored: boolean }) {
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
      {isStored && (
        <span className="screen-only">
          {" · "}
          <Link to="/reports/account/$handle" params={{ handle: report.handle }}>
            This account over time
          </Link>
        </span>
      )}
    </>
  );
}

const fileName = ({ handle, createdAt }: CompetitorReport): string =>
  `${handle.replaceAll(/[^\w.-]/g, "")}-top-reels-${createdAt.slice(0, 10)}.csv`;

/** Formats days in a report's time zone, or in the reader's if the browser doesn't know it. */
function dayFormat(timezone: string): Intl.DateTimeFormat {
  const options = { day: "numeric", month: "short", year: "numeric" } as const;
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone });
  } catch {
    return new Intl.DateTimeFormat(locale, options);
  }
}

function ReportFigures({
  report: { metrics, nextReel, benchmarks = [], engagementFrom, followers },
}: {
  readonly report: CompetitorReport;
}) {
  const { avgEngagementRate: rate, postingFrequencyPerWeek: perWeek } = metrics;
  const counts = engagementFrom === "likes" ? "likes per view" : "likes and comments per view";
  const figures = [
    ...medianOf("views", metrics.medianViews, metrics.avgViews),
    ...medianOf("likes", metrics.medianLikes, metrics.avgLikes),
    ...medianOf("comments", metrics.medianComments, metrics.avgComments),
    ...(rate === undefined ? [] : [{ name: "Engagement", value: <bdi>{percent(rate)}</bdi>, small: counts }]),
    ...(perWeek === 0 ? [] : [{ name: "Reels per week", value: <bdi>{exactNumber(Number(perWeek.toFixed(1)))}</bdi> }]),
    ...(nextReel === undefined
      ? []
      : [
          {
            name: "Next reel, probably",
            value: <bdi>{shortEstimate(nextReel.typical)}</bdi>,
            small: `usually ${shortEstimate(nextReel.low)} to ${shortEstimate(nextReel.high)} ${nextReel.outcome}`,
          },
        ]),
  ];
  if (figures.length === 0) return undefined;
  return (
    <div className="stack tight">
      <Figures label="Key figures" figures={figures} />
      {followers && <ByFollowers {...followers} />}
      {benchmarks.length > 0 && (
        <ul className="points" aria-label="Among the other accounts in your reports">
          {benchmarks.map(({ metric, text }) => (
            <li key={metric}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ByFollowers({ followers, viewsPerFollower, engagementRate }: NonNullable<CompetitorReport["followers"]>) {
  return (
    <Figures
      label="Figures by followers"
      figures={[
        { name: "Followers", value: <bdi title={exactNumber(followers)}>{shortNumber(followers)}</bdi> },
        ...(viewsPerFollower === undefined
          ? []
          : [
              {
                name: "Median views per follower",
                value: <bdi>{exactNumber(Number(viewsPerFollower.toPrecision(2)))}</bdi>,
              },
            ]),
        ...(engagementRate === undefined
          ? []
          : [
              {
                name: "Engagement by followers",
                value: <bdi>{percent(engagementRate)}</bdi>,
                small: "likes and comments per follower",
              },
            ]),
      ]}
    />
  );
}

const medianOf = (name: string, median: number | undefined, average: number | undefined) =>
  median === undefined || average === undefined
    ? []
    : [
        {
          name: `Median ${name}`,
          value: <bdi title={exactNumber(Math.round(median))}>{shortNumber(median)}</bdi>,
          small: `average ${shortNumber(average)}`,
        },
      ];
