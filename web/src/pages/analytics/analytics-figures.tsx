import type { BioAnalytics } from "@reelscript/contract";
import { Sparkline } from "../../charts/sparkline.tsx";
import { exactNumber, percent, shortNumber, changeSince } from "../../format/number.ts";
import { calendarDay } from "../../format/date.ts";

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly before: string;
  readonly change?: string | undefined;
  readonly course?: readonly number[];
}

export function AnalyticsFigures({ analytics }: { readonly analytics: BioAnalytics }) {
  return (
    <dl className="card figures" aria-label="Figures of the period">
      {figuresOf(analytics).map(({ name, value, before, change, course }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className="row">
              <bdi>{value}</bdi>
              {course && <Sparkline values={course} />}
            </span>
            <small>
              {before}
              {change && `, ${change}`}
            </small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function figuresOf({ previous, series, ...now }: BioAnalytics): readonly Figure[] {
  const isKnown = wasCounted(now, previous.from);
  /** Of a part of the days before there is a figure, but nothing to compare. */
  const told = (before: string): string =>
    !wasCounted(now, previous.to)
      ? "No earlier data"
      : isKnown
        ? `${before} before`
        : `${before} before, counted since ${calendarDay(now.countedSince ?? previous.to)}`;
  const count = (name: string, present: number, before: number, course: readonly number[]): Figure => ({
    name,
    value: shortNumber(present),
    before: told(exactNumber(before)),
    change: isKnown ? changeSince(present, before) : undefined,
    course,
  });
  const rate = (name: string, present: number, before: number): Figure => ({
    name,
    value: percent(present * 100),
    before: told(percent(before * 100)),
  });
  const days = series.filter(({ date }) => wasCounted(now, date));
  const views = days.map((day) => day.views);
  const clicks = days.map((day) => day.clicks);
  const visitors = days.map((day) => day.uniqueVisitors);
  return [
    count("Views", now.views, previous.views, views),
    count("Clicks", now.clicks, previous.clicks, clicks),
    rate("Clicks per view", now.clickRate, previous.clickRate),
    count("Daily visitors", now.dailyUniqueVisitors, previous.dailyUniqueVisitors, visitors),
    rate("Visitors who click", now.visitorClickRate, previous.visitorClickRate),
  ];
}

/** Whether anything is known of that day; days compare as their names do. */
export const wasCounted = ({ countedSince }: Pick<BioAnalytics, "countedSince">, day: string): boolean =>
  countedSince !== null && day >= countedSince;
