import { useQueries } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { operationQuery } from "../../../api/use-operation.ts";
import { EmptyState, ErrorNote, SkeletonRows, PageHeader } from "../../../components/page.tsx";
import { Handle, CaptionText, Moment } from "../../../components/inline.tsx";
import { useAllReports, clearlyHighest, estimateOf, keyFigures, type KeyFigure } from "./key-figures.ts";
import type { CompetitorReport } from "@reelscript/contract";
import { comparisonWords } from "@reelscript/contract/values";
import type { ReactNode } from "react";
import { exactNumber, shortNumber } from "../../../format.ts";
import { leadOf } from "../highlights.tsx";

const route = getRouteApi("/shell/reports/compare");
/** More columns than these can't be read side by side. */
const mostAccounts = 4;

export function ComparePage() {
  const { handles } = route.useSearch();
  const navigate = route.useNavigate();
  const { reports, error, retry } = useAllReports();
  const known = [...new Set(reports?.map(({ handle }) => handle))];
  const chosen = (handles ?? known.slice(0, 2)).filter((handle) => known.includes(handle)).slice(0, mostAccounts);
  const toggle = (handle: string): void =>
    void navigate({
      search: { handles: chosen.includes(handle) ? chosen.filter((one) => one !== handle) : [...chosen, handle] },
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader
        title="Compare accounts"
        sub="The newest report of each account, side by side."
        crumb={{ to: "/reports", label: "Reports", here: "Compare" }}
      />
      <ErrorNote error={error} onRetry={retry} />
      {reports === undefined && !error && <SkeletonRows count={6} label="Loading reports" />}
      {reports !== undefined && known.length < 2 && (
        <EmptyState title="Nothing to compare yet" to="/reports" action="Show all reports">
          Create reports on two accounts to compare them.
        </EmptyState>
      )}
      {known.length > 1 && (
        <fieldset className="row wrap account-choice">
          <legend className="visually-hidden">Accounts to compare, at most {mostAccounts}</legend>
          {known.map((handle) => (
            <label key={handle} className="row">
              <input
                type="checkbox"
                checked={chosen.includes(handle)}
                disabled={!chosen.includes(handle) && chosen.length >= mostAccounts}
                onChange={() => toggle(handle)}
              />
              <Handle name={handle} />
            </label>
          ))}
        </fieldset>
      )}
      {known.length > 1 && <Compared handles={chosen} />}
    </>
  );
}

function Compared({ handles }: { readonly handles: readonly string[] }) {
  const reports = useQueries({
    queries: handles.map((handle) => operationQuery("getCompetitorReport", { id: `@${handle}` })),
  });
  const failed = reports.find(({ error }) => error);
  if (handles.length === 0) return <p>Choose at least one account.</p>;
  if (failed) return <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />;
  const loaded = reports.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (loaded.length < reports.length) return <SkeletonRows count={6} label="Loading reports" />;
  return <ComparisonTable reports={loaded} />;
}

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
