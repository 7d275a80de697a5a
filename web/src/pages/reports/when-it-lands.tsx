import type { CompetitorReport, PostingHour, PostingTime } from "@reelscript/contract";
import { dayNames } from "@reelscript/contract/values";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { HeatMap } from "../../charts/heat-map.tsx";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";

const title = "Views by posting time";
const shownTimes = 3;
const fewestReelsOfHour = 3;

const clockHour = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
const cellPlaceOf = ({ dayOfWeek, hour }: PostingTime | PostingHour) => ({ day: dayNames.indexOf(dayOfWeek), hour });
const nameOf = ({ dayOfWeek, hour }: PostingTime | PostingHour): string => `${dayOfWeek}, ${clockHour(hour)}`;

export function WhenItLands({ report }: { readonly report: CompetitorReport }) {
  const { postingHours = [], bestPostingTimes = [], comparisons, timezone } = report;
  if (postingHours.length === 0) return undefined;
  const best = comparisons === undefined ? [] : bestPostingTimes.slice(0, shownTimes);
  const told = (day: number, hour: number): [string, ...string[]] => {
    const found = postingHours.find((one) => one.hour === hour && one.dayOfWeek === dayNames[day]);
    const name = `${dayNames[day]}, ${clockHour(hour)}`;
    if (found === undefined) return [name, "No reel"];
    const { medianViews, reels } = found;
    return [
      name,
      ...(medianViews === undefined ? [] : [`typically ${shortNumber(medianViews)} views`]),
      counted(reels, "reel", "reels"),
      ...(medianViews === undefined ? ["Too recent, or views hidden"] : []),
    ];
  };
  return (
    <ChartFigure
      title={title}
      sub={
        <>
          Typical views by the day and hour a reel was posted, in <bdi>{timezone.replaceAll("_", " ")}</bdi>
        </>
      }
      table={{
        columns: ["Posted", "Reels", "Typical views"],
        rows: postingHours.map((one) => [
          nameOf(one),
          exactNumber(one.reels),
          one.medianViews === undefined ? "" : exactNumber(Math.round(one.medianViews)),
        ]),
      }}
      after={<BestTimes times={best} />}
    >
      <HeatMap
        name={`${title}, hour by hour`}
        sentence={`Typical views by day and hour of posting, in ${counted(postingHours.length, "hour", "hours")} of the week with reels.${best[0] ? ` Best: ${nameOf(best[0])}.` : " No single hour is clearly better."}`}
        cells={postingHours.map((one) => ({
          ...cellPlaceOf(one),
          value: one.medianViews ?? null,
          few: (one.settledReels ?? one.reels) < fewestReelsOfHour,
        }))}
        best={best[0] && cellPlaceOf(best[0])}
        format={shortNumber}
        told={told}
        nothing="No reel"
        waiting="Too recent"
      />
    </ChartFigure>
  );
}

function BestTimes({ times }: { readonly times: readonly PostingTime[] }) {
  const pale = `Paler cells have fewer than ${fewestReelsOfHour} reels.`;
  if (times.length === 0) return <p className="meta">No single hour is clearly better. {pale}</p>;
  return (
    <>
      <table className="times">
        <caption>Best times</caption>
        <tbody>
          {times.map((time) => (
            <tr key={nameOf(time)}>
              <th scope="row">{nameOf(time)}</th>
              <td className="number">
                <b title={`${exactNumber(Math.round(time.avgViews))} views on average`}>{shortNumber(time.avgViews)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="meta">Average views; only hours within a clear takeaway. {pale}</p>
    </>
  );
}
