import type { CompetitorReport } from "@reelscript/contract";
import { exactNumber, percent, shortNumber } from "../../format/number.ts";

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly exact?: string;
  readonly small?: string | undefined;
}

/** The headline: what is not known is not there. */
export function ReportFigures({ report }: { readonly report: CompetitorReport }) {
  const figures = figuresOf(report);
  if (figures.length === 0) return undefined;
  return (
    <dl className="figures" aria-label="Key figures">
      {figures.map(({ name, value, exact, small }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi title={exact}>{value}</bdi>
            {small && <small>{small}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function figuresOf({ metrics }: CompetitorReport): readonly Figure[] {
  return [
    averageOf("views", metrics.avgViews, metrics.medianViews),
    averageOf("likes", metrics.avgLikes, metrics.medianLikes),
    averageOf("comments", metrics.avgComments, metrics.medianComments),
    metrics.avgEngagementRate === undefined
      ? undefined
      : { name: "Engagement", value: percent(metrics.avgEngagementRate), small: "likes and comments per view" },
    metrics.postingFrequencyPerWeek === undefined
      ? undefined
      : {
          name: "Reels per week",
          value: exactNumber(Number(metrics.postingFrequencyPerWeek.toFixed(1))),
        },
  ].filter((figure) => figure !== undefined);
}

/** The typical value leads, as everywhere on the page; older reports know the average alone. */
function averageOf(name: string, value: number | undefined, median: number | undefined): Figure | undefined {
  if (value === undefined) return undefined;
  const shown = median ?? value;
  return {
    name: `${median === undefined ? "Average" : "Typical"} ${name}`,
    value: shortNumber(shown),
    exact: exactNumber(Math.round(shown)),
    small: median === undefined ? undefined : `average ${shortNumber(value)}`,
  };
}
