import { Link } from "@tanstack/react-router";
import type { CompetitorReport } from "@reelscript/contract";
import { comparisonWords } from "@reelscript/contract/values";
import type { ReactNode } from "react";
import { CaptionText, Handle, Moment } from "../../../components/inline.tsx";
import { exactNumber, shortNumber } from "../../../format/number.ts";
import { leadOf } from "../caption-parts.ts";
import { clearlyHighest, estimateOf, keyFigures, type KeyFigure } from "./key-figures.ts";

export function ComparisonTable({ reports }: { readonly reports: readonly CompetitorReport[] }) {
  const figures = keyFigures.filter(({ metric }) => reports.some(({ metrics }) => metrics[metric] !== undefined));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className="compared" role="region" aria-label="Accounts side by side" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {reports.map(({ id, handle }) => (
              <th key={id} scope="col">
                <Link to="/reports/$reportId" params={{ reportId: id }}>
                  <Handle name={handle} />
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name="Report" reports={reports} cell={({ createdAt }) => <Moment at={createdAt} style="long" />} />
          <Row
            name="Reels analyzed"
            reports={reports}
            cell={({ reelsAnalyzed }) => reelsAnalyzed !== undefined && exactNumber(reelsAnalyzed)}
          />
          {figures.map((figure) => (
            <Row key={figure.name} name={figure.name} reports={reports} cell={figureCell(figure, reports)} />
          ))}
          <Row name="What is clear" reports={reports} cell={clearestOf} />
          <Row name="Top reel" reports={reports} cell={topReelOf} />
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly name: string;
  readonly reports: readonly CompetitorReport[];
  /** Nothing where it is not known. */
  readonly cell: (report: CompetitorReport) => ReactNode;
}

function Row({ name, reports, cell }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {reports.map((report) => (
        <td key={report.id}>{cell(report) || <span className="meta">not known</span>}</td>
      ))}
    </tr>
  );
}

/** The highest is marked where it is clearly above all others. */
function figureCell(figure: KeyFigure, reports: readonly CompetitorReport[]): RowProps["cell"] {
  const highest = clearlyHighest(reports.map((report) => estimateOf(figure, report)));
  return (report) => {
    const one = report.metrics[figure.metric];
    if (one === undefined) return undefined;
    return highest !== undefined && reports[highest] === report ? (
      <b>
        {figure.shown(one)}
        <small> highest</small>
      </b>
    ) : (
      figure.shown(one)
    );
  };
}

function clearestOf({ comparisons }: CompetitorReport): string | undefined {
  if (comparisons === undefined) return undefined;
  const [first] = comparisons;
  return first?.clear ? comparisonWords(first).claim : "No clear difference";
}

function topReelOf({ handle, topReels: [top] }: CompetitorReport): ReactNode {
  if (top === undefined) return undefined;
  return (
    <>
      <a href={top.url} target="_blank" rel="noopener noreferrer" dir="auto">
        <CaptionText text={leadOf(top.caption, handle)} />
      </a>
      {top.views !== undefined && <small>{shortNumber(top.views)} views</small>}
    </>
  );
}
