import { useQueries } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { keep, readKept } from "../../../api/browser-storage.ts";
import { operationQuery, useAccountId } from "../../../api/use-operation.ts";
import { EmptyState, ErrorNote, SkeletonRows, PageHeader } from "../../../components/page.tsx";
import { Select } from "../../../components/field.tsx";
import { Avatar, Chip, Handle, CaptionText, Moment } from "../../../components/inline.tsx";
import { OwnDrafts } from "./own-drafts.tsx";
import { figureConclusions, ownSentence, type OwnHandle } from "./figure-conclusions.ts";
import { useAllReports, clearlyHighest, estimateOf, keyFigures, type KeyFigure } from "./key-figures.ts";
import type { CompetitorReport } from "@reelscript/contract";
import { comparisonWords } from "@reelscript/contract/values";
import type { ReactNode } from "react";
import { counted, shortNumber, leadOf } from "../../../format.ts";
import { NamedRows, ScrolledTable } from "../../../components/scrolled-table.tsx";

const route = getRouteApi("/shell/reports/compare");
/** More columns can't be read side by side. */
const mostAccounts = 4;

export function ComparePage() {
  const { handles, own: chosenHandle } = route.useSearch();
  const navigate = route.useNavigate();
  const { reports, error, retry } = useAllReports();
  const reportHandles = [...new Set(reports?.map(({ handle }) => handle))];
  const selectedHandles = (handles ?? reportHandles.slice(0, 2))
    .filter((handle) => reportHandles.includes(handle))
    .slice(0, mostAccounts);
  // People who share a browser have accounts of their own.
  const keptName = `own-account-${useAccountId() ?? ""}`;
  const ownHandle = ownHandleOf(chosenHandle ?? readKept(keptName) ?? undefined, selectedHandles);
  const choose = (handle: string): void => {
    keep(keptName, handle === "" ? null : handle);
    void navigate({ search: (before) => ({ ...before, own: handle }), replace: true, resetScroll: false });
  };
  const toggle = (handle: string): void =>
    void navigate({
      search: {
        ...(chosenHandle !== undefined && { own: chosenHandle }),
        handles: selectedHandles.includes(handle)
          ? selectedHandles.filter((one) => one !== handle)
          : [...selectedHandles, handle],
      },
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
      {reports !== undefined && reportHandles.length < 2 && (
        <EmptyState title="Nothing to compare yet" to="/reports" action="Show all reports">
          Create reports on two accounts to compare them.
        </EmptyState>
      )}
      {reportHandles.length > 1 && (
        <div className="row wrap compared-accounts">
          <fieldset className="row wrap account-choice grow">
            <legend className="visually-hidden">Accounts to compare, at most {mostAccounts}</legend>
            {reportHandles.map((handle) => (
              <label key={handle} className="row">
                <input
                  type="checkbox"
                  checked={selectedHandles.includes(handle)}
                  disabled={!selectedHandles.includes(handle) && selectedHandles.length >= mostAccounts}
                  onChange={() => toggle(handle)}
                />
                <Handle name={handle} />
              </label>
            ))}
          </fieldset>
          {selectedHandles.length > 0 && (
            <Select
              label="Your account"
              value={ownHandle ?? ""}
              options={[
                { value: "", label: "None of these" },
                ...selectedHandles.map((handle) => ({ value: handle, label: `@${handle}` })),
              ]}
              onChange={choose}
            />
          )}
        </div>
      )}
      {reportHandles.length > 1 && <Compared handles={selectedHandles} ownHandle={ownHandle} />}
    </>
  );
}

/** The person's own account among those that are compared. */
const ownHandleOf = (handle: string | undefined, selectedHandles: readonly string[]): OwnHandle =>
  handle !== undefined && selectedHandles.includes(handle) ? handle : undefined;

interface ComparedProps {
  readonly handles: readonly string[];
  readonly ownHandle: OwnHandle;
}

function Compared({ handles, ownHandle }: ComparedProps) {
  const reports = useQueries({
    queries: handles.map((handle) => operationQuery("getCompetitorReport", { id: `@${handle}` })),
  });
  const failed = reports.find(({ error }) => error);
  if (handles.length === 0) return <p>Choose at least one account.</p>;
  if (failed) return <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />;
  const loaded = reports.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (loaded.length < reports.length) return <SkeletonRows count={6} label="Loading reports" />;
  return (
    <>
      <Conclusions reports={loaded} ownHandle={ownHandle} />
      <ComparisonTable reports={loaded} ownHandle={ownHandle} />
      <OwnDrafts />
    </>
  );
}

interface TableProps {
  readonly reports: readonly CompetitorReport[];
  readonly ownHandle: OwnHandle;
}

function Conclusions({ reports, ownHandle }: TableProps) {
  const whose = ownSentence(
    reports.map(({ handle }) => handle),
    ownHandle,
  );
  const conclusions = figureConclusions(reports, ownHandle);
  if (whose === undefined && conclusions.length === 0) return undefined;
  return (
    <section className="stack tight" aria-labelledby="in-short">
      <h2 id="in-short">In short</h2>
      {whose !== undefined && <p>{whose}</p>}
      <ul className="points">
        {conclusions.map((sentence) => (
          <li key={sentence}>
            <Conclusion sentence={sentence} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The name of the figure stands out: `Median views: @bo (12K) is clearly above …` */
function Conclusion({ sentence }: { readonly sentence: string }) {
  const end = sentence.indexOf(": ");
  return (
    <>
      <b className="semibold">{sentence.slice(0, Math.max(0, end))}</b>
      {sentence.slice(Math.max(0, end))}
    </>
  );
}

type Cell = (report: CompetitorReport) => ReactNode;

function ComparisonTable({ reports, ownHandle }: TableProps) {
  const figures = keyFigures.filter(({ metric }) => reports.some(({ metrics }) => metrics[metric] !== undefined));
  const row = (name: string, cell: Cell): [string, ...ReactNode[]] => [
    name,
    ...reports.map((report) => cell(report) || <Unknown key={report.id} />),
  ];
  return (
    <div style={{ "--accounts": reports.length }}>
      <ScrolledTable className="side-by-side accounts" label="Accounts side by side">
        <NamedRows
          columns={[
            "Figure",
            ...reports.map(({ id, handle }) => ({
              name: (
                <>
                  <Avatar name={handle} />
                  <ReportLink id={id} handle={handle} /> {handle === ownHandle && <Chip kind="outline">Yours</Chip>}
                </>
              ),
            })),
          ]}
          rows={[
            row("Report", reportOf),
            ...figures.map((figure) => row(figure.name, figureCell(figure, reports))),
            row("What is clear", clearestOf),
            row("Top reel", topReelOf),
          ]}
        />
      </ScrolledTable>
    </div>
  );
}

const Unknown = () => <span className="meta">Not available</span>;

const ReportLink = ({ id, handle }: { readonly id: string; readonly handle: string }) => (
  <Link to="/reports/$reportId" params={{ reportId: id }}>
    <Handle name={handle} />
  </Link>
);

function figureCell(figure: KeyFigure, reports: readonly CompetitorReport[]): Cell {
  const highest = clearlyHighest(reports.map((report) => estimateOf(figure, report)));
  const values = reports.flatMap(({ metrics }) => metrics[figure.metric] ?? []);
  const largest = Math.max(...values);
  // Bars of one length show nothing.
  const hasBars = largest > 0 && new Set(values.map(figure.format)).size > 1;
  return (report) => {
    const one = report.metrics[figure.metric];
    if (one === undefined) return undefined;
    const isHighest = highest !== undefined && reports[highest] === report;
    return (
      <>
        {isHighest ? (
          <b>
            {figure.format(one)} <Chip>Highest</Chip>
          </b>
        ) : (
          figure.format(one)
        )}
        {hasBars && (
          <span className="figure-bar" aria-hidden="true">
            <i className={isHighest ? "leading" : undefined} style={{ inlineSize: `${(one / largest) * 100}%` }} />
          </span>
        )}
      </>
    );
  };
}

const reportOf: Cell = ({ createdAt, reelsAnalyzed }) => (
  <>
    <Moment at={createdAt} style="long" />
    {reelsAnalyzed !== undefined && <small>{counted(reelsAnalyzed, "reel", "reels")}</small>}
  </>
);

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
