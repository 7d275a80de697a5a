import type { CompetitorReport } from "@reelscript/contract";
import { exactNumber, percent, shortNumber } from "../../format/number.ts";
import { busiestDay } from "./posting-hours.ts";

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
    <dl className="figs" aria-label="Averages">
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

function figuresOf({ metrics, postingHours }: CompetitorReport): readonly Figure[] {
  const day = busiestDay(postingHours);
  return [
    averageOf("Average views", metrics.avgViews, metrics.medianViews),
    averageOf("Average likes", metrics.avgLikes, metrics.medianLikes),
    averageOf("Average comments", metrics.avgComments, metrics.medianComments),
    metrics.avgEngagementRate === undefined
      ? undefined
      : { name: "Engagement", value: percent(metrics.avgEngagementRate), small: "likes and comments, of views" },
    metrics.postingFrequencyPerWeek === undefined
      ? undefined
      : {
          name: "Reels per week",
          value: exactNumber(Number(metrics.postingFrequencyPerWeek.toFixed(1))),
          small: day && `most on ${day}`,
        },
  ].filter((figure) => figure !== undefined);
}

function averageOf(name: string, value: number | undefined, median: number | undefined): Figure | undefined {
  if (value === undefined) return undefined;
  return {
    name,
    value: shortNumber(value),
    exact: exactNumber(Math.round(value)),
    small: median === undefined ? undefined : `median ${shortNumber(median)}`,
  };
}
