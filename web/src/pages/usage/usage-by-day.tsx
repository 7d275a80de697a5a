import { useState } from "react";
import type { Output } from "@reelscript/client/core";
import { useOperation } from "../../api/use-operation.ts";
import { BarList, ChartFigure } from "../../charts/chart-figure.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import { Choice, Select } from "../../components/field.tsx";
import { ErrorNote } from "../../components/page.tsx";
import { calendarDay, calendarDayOfYear, calendarDays, calendarWeekday, counted, exactNumber } from "../../format.ts";

type ByDay = Output<"getUsageByDay">;
type Row = ByDay["rows"][number];
type Period = "current" | "previous";

const everything = "all";
/** So few days are rows, because a chart of them would be mostly empty. */
const fewDays = 5;

interface Props {
  readonly current: ByDay;
  readonly shared: boolean;
}

export function UsageByDay({ current, shared }: Props) {
  const [period, setPeriod] = useState<Period>("current");
  const [selectedRow, setSelectedRow] = useState(everything);
  const previous = useOperation("getUsageByDay", { period: "previous" }, { enabled: period === "previous" });
  // The previous range is shown until the new one has loaded, so that nothing jumps.
  const range = period === "previous" && previous.data ? previous.data : current;
  const keyRows = namedRows(range.rows, shared);
  const selectedRows = keyRows.filter(({ id }) => id === selectedRow);
  // The rows above say all that there is to say of a first day.
  if (current.days.length < 2 && !current.previous) return undefined;
  return (
    <section className="stack tight usage-days">
      {(range.rows.length > 1 || current.previous) && (
        <div className="row wrap">
          {current.previous && (
            <Choice
              legend="Period"
              value={period}
              options={[
                { value: "current", label: "Current" },
                { value: "previous", label: spanName(current.previous) },
              ]}
              onChange={setPeriod}
            />
          )}
          {keyRows.length > 1 && (
            <Select
              label="Used by"
              value={selectedRow}
              options={[
                { value: everything, label: "Everyone" },
                ...keyRows.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={setSelectedRow}
            />
          )}
        </div>
      )}
      <ErrorNote error={period === "previous" ? previous.error : null} onRetry={() => void previous.refetch()} />
      <DayChart days={range.days} rows={selectedRows.length > 0 ? selectedRows : keyRows} />
    </section>
  );
}

/** Sep 1 – 30, 2026: the days of a past period in UTC; for a plan without periods, the plan's name. */
function spanName({ startsAt, endsAt }: NonNullable<ByDay["previous"]>): string {
  if (startsAt === null || endsAt === null) return "Before, on Free";
  const last = Math.max(Date.parse(startsAt), Date.parse(endsAt) - 1);
  return calendarDays(startsAt.slice(0, 10), new Date(last).toISOString().slice(0, 10));
}

/** Distinguishable names: keys may have the same name, and several may have been deleted. */
function namedRows(rows: readonly Row[], shared: boolean) {
  const people = shared ? "Dashboard, extension and keys" : "Dashboard and extension";
  const usualName = ({ of, key }: Row): string => (of === "people" ? people : (key?.name ?? "Former key"));
  const former = rows.filter(({ of }) => of === "formerKey");
  const nameOf = (row: Row): string => {
    const name = usualName(row);
    if (row.of === "formerKey") return former.length > 1 ? `${name} ${former.indexOf(row) + 1}` : name;
    const isAlone = rows.filter((other) => usualName(other) === name).length === 1;
    const keyName = isAlone || row.key === null ? name : `${name} …${row.key.lastFour}`;
    return row.afterFormerKey ? `${keyName} and the previous key` : keyName;
  };
  return rows.map((row, index) => ({ ...row, id: row.key?.id ?? `${row.of}-${index}`, name: nameOf(row) }));
}

interface DayChartProps {
  readonly days: readonly string[];
  readonly rows: readonly (Row & { readonly name: string })[];
}

function DayChart({ days, rows }: DayChartProps) {
  const totals = days.map((_day, index) => rows.reduce((sum, { byDay }) => sum + (byDay[index] ?? 0), 0));
  const used = rows.reduce((sum, row) => sum + row.used, 0);
  const otherDays = rows.reduce((sum, row) => sum + row.otherDays, 0);
  const first = days.at(0) ?? "";
  const last = days.at(-1) ?? "";
  const span = first === last ? calendarDayOfYear(first) : calendarDays(first, last);
  const most = Math.max(0, ...totals);
  const mostSentence =
    most > 0 ? ` Busiest day: ${calendarDay(days[totals.indexOf(most)] ?? "")}, with ${exactNumber(most)}.` : "";
  return (
    <ChartFigure
      title="Transcriptions by day"
      sub={`${span}, days in UTC`}
      table={{
        columns: ["Day (UTC)", ...(rows.length > 1 ? ["All"] : []), ...rows.map(({ name }) => name)],
        rows: days.map((day, index) => [
          calendarDayOfYear(day),
          ...(rows.length > 1 ? [exactNumber(totals[index] ?? 0)] : []),
          ...rows.map(({ byDay }) => exactNumber(byDay[index] ?? 0)),
        ]),
      }}
      after={
        <p className="meta">
          {counted(used, "transcription", "transcriptions")} used
          {otherDays > 0 && `, ${exactNumber(otherDays)} of them on days not shown`}. Free and failed ones aren’t
          counted.
        </p>
      }
    >
      {days.length <= fewDays ? (
        <BarList
          label="Transcriptions by day"
          items={days.map((day, index) => ({
            key: day,
            name: calendarWeekday(day),
            value: totals[index] ?? 0,
            figure: exactNumber(totals[index] ?? 0),
          }))}
        />
      ) : (
        <TimeChart
          sentence={`${counted(used - otherDays, "transcription", "transcriptions")} used, ${span}.${mostSentence}`}
          name="Transcriptions by day"
          labels={days.map((day) => calendarDay(day))}
          bars={totals}
          whole
          format={exactNumber}
          texts={(index) => [
            calendarWeekday(days[index] ?? ""),
            counted(totals[index] ?? 0, "transcription", "transcriptions"),
          ]}
        />
      )}
    </ChartFigure>
  );
}
