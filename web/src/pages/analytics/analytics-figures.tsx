import type { BioAnalytics } from "@reelscript/contract";
import { Sparkline } from "../../charts/sparkline.tsx";
import { exactNumber, percent, shortNumber } from "../../format/number.ts";
import { changeSince } from "./change-since.ts";

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly before: string;
  readonly change?: string | undefined;
  readonly course?: readonly number[];
}

/** The period beside the one before. */
export function AnalyticsFigures({ analytics }: { readonly analytics: BioAnalytics }) {
  return (
    <dl className="figs of-bio" aria-label="Figures of the period">
      {figuresOf(analytics).map(({ name, value, before, change, course }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className="row">
              <bdi>{value}</bdi>
              {course && <Sparkline values={course} />}
            </span>
            <small>
              {before} before{change && `, ${change}`}
            </small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function figuresOf({ previous, series, ...now }: BioAnalytics): readonly Figure[] {
  const count = (name: string, present: number, before: number, course: readonly number[]): Figure => ({
    name,
    value: shortNumber(present),
    before: exactNumber(before),
    change: changeSince(present, before),
    course,
  });
  const rate = (name: string, present: number, before: number): Figure => ({
    name,
    value: percent(present * 100),
    before: percent(before * 100),
  });
  const views = series.map((day) => day.views);
  const clicks = series.map((day) => day.clicks);
  const visitors = series.map((day) => day.uniqueVisitors);
  return [
    count("Views", now.views, previous.views, views),
    count("Clicks", now.clicks, previous.clicks, clicks),
    rate("Clicks per view", now.clickRate, previous.clickRate),
    count("Daily visitors", now.dailyUniqueVisitors, previous.dailyUniqueVisitors, visitors),
    rate("Visitors who click", now.visitorClickRate, previous.visitorClickRate),
  ];
}
