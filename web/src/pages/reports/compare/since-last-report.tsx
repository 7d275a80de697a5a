import { Link } from "@tanstack/react-router";
import type { CompetitorReport } from "@reelscript/contract";
import { Moment } from "../../../components/moment.tsx";
import { counted } from "../../../format/number.ts";
import { changeOf, keyFigures } from "./key-figures.ts";
import { useAllReports } from "./use-all-reports.ts";

/** What is different from the account's report before; nothing where there is none. */
export function SinceLastReport({ report }: { readonly report: CompetitorReport }) {
  const { reports } = useAllReports();
  const before = reports?.find(
    ({ handle, createdAt, id }) => handle === report.handle && id !== report.id && createdAt < report.createdAt,
  );
  if (before === undefined) return undefined;
  const rows = keyFigures.flatMap((figure) => {
    const { name, value, shown } = figure;
    const [then, now] = [value(before.metrics), value(report.metrics)];
    return then === undefined || now === undefined
      ? []
      : [{ name, before: shown(then), now: shown(now), change: changeOf(figure, now, then) }];
  });
  if (rows.length === 0) return undefined;
  return (
    <section aria-labelledby="since-last-report">
      <h2 id="since-last-report" className="section-title">
        Since the last report
      </h2>
      <p className="meta">
        Compared with{" "}
        <Link to="/reports/$reportId" params={{ reportId: before.id }}>
          the report of <Moment at={before.createdAt} style="long" />
        </Link>
        {before.reelsAnalyzed !== undefined && <>, made from {counted(before.reelsAnalyzed, "reel", "reels")}</>}. Both
        may contain some of the same reels.
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className="compared" role="region" aria-labelledby="since-last-report" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Figure</th>
              <th scope="col" className="number">
                Before
              </th>
              <th scope="col" className="number">
                Now
              </th>
              <th scope="col" className="number">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, before: past, now, change }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="number">{past}</td>
                <td className="number">{now}</td>
                <td className="number">{change}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
