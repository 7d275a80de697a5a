import { dayNames, type PostingHour, type ReportFindings, type ReportWeek } from "@reelscript/contract";
import { dayMilliseconds, dayOf } from "../rules/days.ts";
import { createLocalTime, type LocalTime } from "./local-time.ts";
import type { SeenReel } from "./merge-reels.ts";
import { isSettled } from "./ages.ts";
import { average, grouped, knownValues, median } from "./averages.ts";
import { fewestDays } from "./thresholds.ts";

const weekMilliseconds = 7 * dayMilliseconds;

/** Charts over time; none when no reel has a date. */
export function chartsOf(
  reels: readonly SeenReel[],
  collectedAt: Date,
  timezone: string,
): Pick<ReportFindings, "firstPostedAt" | "lastPostedAt" | "weeks" | "postingHours"> {
  const localTime = createLocalTime(timezone);
  const posted = reels
    .flatMap((reel) => (reel.postedAt === null ? [] : [{ ...reel, at: reel.postedAt, ...localTime(reel.postedAt) }]))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const first = posted[0];
  const last = posted.at(-1);
  if (first === undefined || last === undefined) return {};
  return {
    firstPostedAt: first.at.toISOString(),
    lastPostedAt: last.at.toISOString(),
    ...(last.at.getTime() - first.at.getTime() >= fewestDays * dayMilliseconds && { weeks: weeksOf(posted) }),
    postingHours: everyPostingHourOf(posted, collectedAt),
  };
}

type Posted = SeenReel & LocalTime;

/** Every week from the first reel to the last, also those without reels. Oldest reel first. */
function weeksOf(posted: readonly Posted[]): ReportWeek[] {
  const byWeek = grouped(posted, mondayOf);
  const mondays = [...byWeek.keys()];
  const weeks: ReportWeek[] = [];
  for (let monday = Math.min(...mondays); monday <= Math.max(...mondays); monday += weekMilliseconds) {
    const reels = byWeek.get(monday) ?? [];
    const views = knownValues(reels, (reel) => reel.views);
    const start = dayOf(new Date(monday));
    weeks.push({ start, reels: reels.length, avgViews: average(views), medianViews: median(views) });
  }
  return weeks;
}

/** Calendar days are computed in UTC, where each has 24 hours. */
const mondayOf = ({ day, dayOfWeek }: Posted): number => day.getTime() - dayNames.indexOf(dayOfWeek) * dayMilliseconds;

function everyPostingHourOf(posted: readonly Posted[], collectedAt: Date): PostingHour[] {
  const hourOfWeek = ({ dayOfWeek, hour }: Posted): number => dayNames.indexOf(dayOfWeek) * 24 + hour;
  return [...grouped(posted, hourOfWeek)]
    .toSorted(([one], [other]) => one - other)
    .map(([place, reels]) => {
      const settled = knownValues(
        reels.filter((reel) => isSettled(reel, collectedAt)),
        ({ views }) => views,
      );
      return {
        dayOfWeek: dayNames[Math.floor(place / 24)]!,
        hour: place % 24,
        reels: reels.length,
        ...(settled.length > 0 && {
          settledReels: settled.length,
          avgViews: average(settled),
          medianViews: median(settled),
        }),
      };
    });
}
