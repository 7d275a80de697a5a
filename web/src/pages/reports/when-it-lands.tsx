import type { CompetitorReport } from "@reelscript/contract";
import { dayNames } from "@reelscript/contract/values";
import { ChartFigure } from "../../charts/chart-figure.tsx";
import { HeatMap } from "../../charts/heat-map.tsx";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";
import { bestHours, clockHour, fewestReelsOfHour, seenHours, viewsOfHour } from "./posting-hours.ts";

const title = "Best time to post";
const shownTimes = 3;

export function WhenItLands({ report }: { readonly report: CompetitorReport }) {
  const seen = seenHours(report);
  if (seen === undefined) return undefined;
  const { hours, complete } = seen;
  const best = bestHours(hours);
  const at = (day: number, hour: number) => hours.find((seenHour) => seenHour.day === day && seenHour.hour === hour);
  const nothing = complete ? "No reel" : "Not told";
  const told = (day: number, hour: number): [string, ...string[]] => {
    const found = at(day, hour);
    return [
      `${dayNames[day]}, ${clockHour(hour)}`,
      ...(found === undefined ? [nothing] : []),
      ...(found === undefined || viewsOfHour(found) === undefined
        ? []
        : [`typically ${shortNumber(viewsOfHour(found) ?? 0)} views`]),
      ...(found?.reels === undefined ? [] : [counted(found.reels, "reel", "reels")]),
      ...(found && viewsOfHour(found) === undefined ? ["Views not settled or not known"] : []),
    ];
  };
  return (
    <ChartFigure
      title={title}
      sub={
        <>
          Typical views by the day and hour a reel was posted, in <bdi>{report.timezone.replaceAll("_", " ")}</bdi>
        </>
      }
      table={{
        columns: complete ? ["Posted", "Reels", "Typical views"] : ["Posted", "Typical views"],
        rows: hours.map((seenHour) => [
          `${dayNames[seenHour.day]}, ${clockHour(seenHour.hour)}`,
          ...(complete ? [exactNumber(seenHour.reels ?? 0)] : []),
          viewsOfHour(seenHour) === undefined ? "" : exactNumber(Math.round(viewsOfHour(seenHour) ?? 0)),
        ]),
      }}
      after={<BestTimes times={best.slice(0, shownTimes)} />}
    >
      <HeatMap
        name={`${title}, hour by hour`}
        sentence={
          best[0]
            ? `Typical views by day and hour of posting. Best: ${dayNames[best[0].day]} at ${clockHour(best[0].hour)} with ${shortNumber(best[0].views)}.`
            : `Typical views by day and hour of posting: ${counted(hours.length, "hour", "hours")} of the week with reels. No hour has enough reels to call it the best.`
        }
        cells={hours.map((seenHour) => ({
          day: seenHour.day,
          hour: seenHour.hour,
          value: viewsOfHour(seenHour) ?? null,
          few: (seenHour.reels ?? fewestReelsOfHour) < fewestReelsOfHour,
        }))}
        best={best[0]}
        format={shortNumber}
        told={told}
        nothing={nothing}
        waiting="Views not settled"
      />
    </ChartFigure>
  );
}

function BestTimes({
  times,
}: {
  readonly times: readonly { readonly day: number; readonly hour: number; readonly views: number }[];
}) {
  if (times.length === 0)
    return (
      <p className="meta">
        There’s no best time yet. It takes an hour of the week with at least 3 reels older than 72 hours.
      </p>
    );
  return (
    <>
      <table className="times">
        <caption className="visually-hidden">Best times</caption>
        <tbody>
          {times.map(({ day, hour, views }) => (
            <tr key={`${day} ${hour}`}>
              <th scope="row">
                {dayNames[day]}, {clockHour(hour)}
              </th>
              <td className="number">
                <b title={`Typically ${exactNumber(Math.round(views))} views`}>{shortNumber(views)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="meta">Hours with at least 3 reels; paler cells have fewer.</p>
    </>
  );
}
