import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import type { CompetitorReport } from "@reelscript/contract";
import { Moment } from "../../../components/inline.tsx";
import { counted } from "../../../format.ts";
import { useOperation } from "../../../api/use-operation.ts";
import {
  changedTakeaways,
  clearlyDiffer,
  changeOf,
  estimateOf,
  keyFigures,
  type TakeawayChanges,
  useAllReports,
} from "./key-figures.ts";
import { NamedRows, ScrolledTable } from "../../../components/scrolled-table.tsx";

export function SinceLastReport({ report }: { readonly report: CompetitorReport }) {
  const { reports } = useAllReports({ handle: report.handle });
  const before = reports?.find(({ createdAt, id }) => id !== report.id && createdAt < report.createdAt);
  const { data: past } = useOperation(
    "getCompetitorReport",
    { id: before?.id ?? "" },
    { enabled: before !== undefined },
  );
  if (before === undefined) return undefined;
  const takeaways = past && changedTakeaways(past.comparisons, report.comparisons);
  const rows = keyFigures.flatMap((figure): [string, ...ReactNode[]][] => {
    const { name, metric, format } = figure;
    const then = before.metrics[metric];
    const now = report.metrics[metric];
    if (then === undefined || now === undefined) return [];
    const old = past && estimateOf(figure, past);
    const current = estimateOf(figure, report);
    const isClear = old !== undefined && current !== undefined && clearlyDiffer(old, current);
    const change = changeOf(figure, now, then);
    const changed = (
      <>
        {isClear ? <b>{change}</b> : change}
        {past?.margins && change !== "none" && <small> {isClear ? "clear" : "may be chance"}</small>}
      </>
    );
    return [[name, format(then), format(now), changed]];
  });
  if (rows.length === 0) return undefined;
  const clearChanges = past === undefined ? [] : clearChangesOf(past, report);
  return (
    <section className="stack tight" aria-labelledby="since-last-report">
      <div>
        <h2 id="since-last-report">Since the last report</h2>
        <p className="meta">
          Compared with{" "}
          <Link to="/reports/$reportId" params={{ reportId: before.id }}>
            the report of <Moment at={before.createdAt} style="long" />
          </Link>
          {before.reelsAnalyzed !== undefined && <>, made from {counted(before.reelsAnalyzed, "reel", "reels")}</>}.
          Both may contain some of the same reels.
        </p>
      </div>
      {past && (
        <p>
          {clearChanges.length === 0
            ? "No figure has clearly changed."
            : `Clearly changed: ${new Intl.ListFormat("en-US").format(clearChanges)}.`}
        </p>
      )}
      {takeaways && <ChangedTakeaways {...takeaways} />}
      <ScrolledTable className="side-by-side" headingId="since-last-report">
        <NamedRows columns={["Figure", { figures: "Before" }, { figures: "Now" }, { figures: "Change" }]} rows={rows} />
      </ScrolledTable>
    </section>
  );
}

/** Such as `median views (+24%)`. */
const clearChangesOf = (past: CompetitorReport, report: CompetitorReport): readonly string[] =>
  keyFigures.flatMap((figure) => {
    const old = estimateOf(figure, past);
    const current = estimateOf(figure, report);
    return old !== undefined && current !== undefined && clearlyDiffer(old, current)
      ? [`${figure.name.toLowerCase()} (${changeOf(figure, current.value, old.value)})`]
      : [];
  });

function ChangedTakeaways(changed: TakeawayChanges) {
  if (changed.new.length + changed.gone.length === 0)
    return <p className="meta">The same differences are clear as before.</p>;
  return (
    <ul className="changed stack">
      {changed.new.map((claim) => (
        <li key={claim}>
          <span className="chip">New</span> {claim}
        </li>
      ))}
      {changed.gone.map((claim) => (
        <li key={claim}>
          <span className="chip">No longer clear</span> {claim}
        </li>
      ))}
    </ul>
  );
}
