import { Link } from "@tanstack/react-router";
import type { Output } from "@reelscript/client/core";
import { Icon } from "../../components/icon.tsx";
import { Avatar, Handle, Moment } from "../../components/inline.tsx";
import { counted } from "../../format.ts";
import { keyFigures } from "./compare/key-figures.ts";

type ReportFigures = Output<"listReportFigures">["reports"][number];

const listedFigures = keyFigures.filter(({ name }) => ["Median views", "Engagement", "Reels per week"].includes(name));

interface Props {
  /** Newest first. */
  readonly reports: readonly ReportFigures[];
  /** The number of scripts in the library by handle, of accounts of which a report can be drawn from them. */
  readonly scripts: ReadonlyMap<string, number>;
}

/** Reports by account: its newest one with the figures, and below it the others. */
export function ReportList({ reports, scripts }: Props) {
  if (reports.length === 0) return undefined;
  return (
    <div className="reports">
      <div className="list-heads meta hidden-when-narrow" aria-hidden="true">
        <span>Account</span>
        <span className="list-figures">
          {listedFigures.map(({ name }) => (
            <span key={name}>{name}</span>
          ))}
        </span>
      </div>
      <ul aria-label="Reports">
        {[...byAccount(reports)].map(([handle, ofAccount]) => (
          <Account key={handle} handle={handle} reports={ofAccount} scripts={scripts.get(handle)} />
        ))}
      </ul>
    </div>
  );
}

/** Accounts in the order of their newest reports. */
function byAccount(
  reports: readonly ReportFigures[],
): ReadonlyMap<string, readonly [ReportFigures, ...ReportFigures[]]> {
  const accounts = new Map<string, [ReportFigures, ...ReportFigures[]]>();
  for (const report of reports) {
    const others = accounts.get(report.handle);
    if (others) others.push(report);
    else accounts.set(report.handle, [report]);
  }
  return accounts;
}

interface AccountProps {
  readonly handle: string;
  readonly reports: readonly [ReportFigures, ...ReportFigures[]];
  readonly scripts: number | undefined;
}

function Account({ handle, reports: [newest, ...earlier], scripts }: AccountProps) {
  return (
    <li>
      <div className="report-row row">
        <Avatar name={handle} />
        <div className="grow">
          <Link className="covering subject" to="/reports/$reportId" params={{ reportId: newest.id }}>
            <Handle name={handle} />
          </Link>
          <p className="meta">
            <Moment at={newest.createdAt} />
            {newest.reelsAnalyzed !== undefined && <>, {counted(newest.reelsAnalyzed, "reel", "reels")}</>}
            <NarrowFigures report={newest} />
          </p>
        </div>
        <WideFigures report={newest} />
        <Icon name="forward" small />
      </div>
      {earlier.map((report) => (
        <div key={report.id} className="report-row earlier row">
          <p className="grow meta">
            <Link className="covering" to="/reports/$reportId" params={{ reportId: report.id }}>
              <span className="visually-hidden">Report of @{handle} of </span>
              <Moment at={report.createdAt} />
            </Link>
            {report.reelsAnalyzed !== undefined && <>, {counted(report.reelsAnalyzed, "reel", "reels")}</>}
            <NarrowFigures report={report} />
          </p>
          <WideFigures report={report} />
          <Icon name="forward" small />
        </div>
      ))}
      {(earlier.length > 0 || scripts !== undefined) && (
        <p className="report-kinds meta row wrap">
          {earlier.length > 0 && (
            <Link to="/reports/account/$handle" params={{ handle }}>
              Over time<span className="visually-hidden"> of @{handle}</span>
            </Link>
          )}
          {scripts !== undefined && (
            <Link to="/reports/library/$handle" params={{ handle }}>
              From {counted(scripts, "transcript", "transcripts")}
              <span className="visually-hidden"> of @{handle}</span>
            </Link>
          )}
        </p>
      )}
    </li>
  );
}

interface FiguresProps {
  readonly report: ReportFigures;
}

const NarrowFigures = ({ report: { metrics } }: FiguresProps) =>
  listedFigures.map(
    ({ name, metric, format }) =>
      metrics[metric] !== undefined &&
      metric !== "postingFrequencyPerWeek" && (
        <span key={name} className="only-when-narrow">
          {", "}
          <span className="number">
            <bdi>{format(metrics[metric])}</bdi> {name.toLowerCase()}
          </span>
        </span>
      ),
  );

const WideFigures = ({ report: { metrics } }: FiguresProps) => (
  <dl className="list-figures hidden-when-narrow">
    {listedFigures.map(({ name, metric, format }) => (
      <div key={name}>
        <dt className="visually-hidden">{name}</dt>
        <dd>{metrics[metric] === undefined ? <UnknownFigure /> : format(metrics[metric])}</dd>
      </div>
    ))}
  </dl>
);

const UnknownFigure = () => (
  <span className="muted">
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">Not available</span>
  </span>
);
