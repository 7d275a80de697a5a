import { useState } from "react";
import { heatStep } from "./geometry.ts";
import { Reader, useWidth } from "./reader.tsx";

const weekDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const dayCount = weekDays.length;
const hourCount = 24;
/** Where a day of work begins; the hours before come last where hours run down. */
const firstHourDown = 6;
const narrow = 440;
const gap = 3;

interface CellPlace {
  readonly column: number;
  readonly row: number;
}

type HeatMapLayout = ReturnType<typeof heatMapLayout>;

/** Hours across and days down; days across and hours down, from 06, where there is too little room. */
function heatMapLayout(width: number) {
  const across = width >= narrow;
  const [columns, rows] = across ? [hourCount, dayCount] : [dayCount, hourCount];
  const [left, top] = across ? [40, 0] : [28, 18];
  const cellWidth = (width - left + gap) / columns - gap;
  const cellHeight = across ? Math.min(24, Math.max(16, cellWidth)) : 16;
  const y = (row: number): number => top + row * (cellHeight + gap);
  const bottom = y(rows) - gap;
  const hourAt = (step: number): number => (across ? step : (step + firstHourDown) % hourCount);
  return {
    across,
    columns,
    rows,
    cellWidth,
    cellHeight,
    x: (column: number): number => left + column * (cellWidth + gap),
    y,
    bottom,
    height: bottom + (across ? 22 : 2),
    hourAt,
    cellOf: ({ column, row }: CellPlace) => (across ? { day: row, hour: column } : { day: column, hour: hourAt(row) }),
    placeOf: ({ day, hour }: { readonly day: number; readonly hour: number }): CellPlace =>
      across ? { column: hour, row: day } : { column: day, row: (hour - firstHourDown + hourCount) % hourCount },
    placeAt: (point: { readonly x: number; readonly y: number }): CellPlace | undefined => {
      const column = Math.floor((point.x - left) / (cellWidth + gap));
      const row = Math.floor((point.y - top) / (cellHeight + gap));
      const inside = column >= 0 && column < columns && row >= 0 && row < rows;
      return inside ? { column, row } : undefined;
    },
  };
}

interface HeatCell {
  /** 0 is Monday. */
  readonly day: number;
  readonly hour: number;
  /** `null`: something was there, but it has no value yet; it gets a dot. */
  readonly value: number | null;
  /** Too few speak for it: drawn pale. */
  readonly few?: boolean;
}

interface SquareProps {
  readonly layout: HeatMapLayout;
  readonly place: CellPlace;
  readonly cell: HeatCell | undefined;
  /** The values by which the shades are divided, lowest first. */
  readonly ranked: readonly number[];
}

function Square({ layout: { x, y, cellWidth, cellHeight }, place: { column, row }, cell, ranked }: SquareProps) {
  const [left, top] = [x(column), y(row)];
  const value = cell?.value ?? undefined;
  const fill = `var(--heat-${value === undefined ? 0 : heatStep(value, ranked)})`;
  return (
    <>
      <rect
        className={value !== undefined && cell?.few ? "few" : undefined}
        x={left}
        y={top}
        width={cellWidth}
        height={cellHeight}
        style={{ fill }}
      />
      {cell?.value === null && (
        <circle className="no-value" cx={left + cellWidth / 2} cy={top + cellHeight / 2} r={2} />
      )}
    </>
  );
}

interface RingProps {
  readonly layout: HeatMapLayout;
  readonly place: CellPlace;
  readonly className: "best" | "read";
}

const Ring = ({ layout: { x, y, cellWidth, cellHeight }, place: { column, row }, className }: RingProps) => (
  <rect className={className} x={x(column) - 1} y={y(row) - 1} width={cellWidth + 2} height={cellHeight + 2} rx={3} />
);

interface ScalesProps {
  readonly layout: HeatMapLayout;
  readonly bestDay: number | undefined;
}

function Scales({ layout: { across, x, y, bottom, cellWidth, cellHeight, hourAt }, bestDay }: ScalesProps) {
  return (
    <>
      {weekDays.map((day, index) => (
        <text
          key={day}
          className={bestDay === index ? "emphasized" : undefined}
          x={across ? 0 : x(index) + cellWidth / 2}
          y={across ? y(index) + cellHeight / 2 + 4 : 10}
          textAnchor={across ? "start" : "middle"}
        >
          {day}
        </text>
      ))}
      {Array.from({ length: hourCount / 3 }, (_, index) => index * 3).map((step) => (
        <text key={step} x={across ? x(step) : 0} y={across ? bottom + 18 : y(step) + cellHeight / 2 + 4}>
          {String(hourAt(step)).padStart(2, "0")}
        </text>
      ))}
    </>
  );
}

interface Props {
  readonly sentence: string;
  readonly name: string;
  readonly cells: readonly HeatCell[];
  readonly best?: { readonly day: number; readonly hour: number } | undefined;
  readonly format: (value: number) => string;
  readonly told: (day: number, hour: number) => readonly [string, ...string[]];
  /** What the palest shade means: "No post" */
  readonly nothing: string;
  /** What a dot means: "Not settled" */
  readonly waiting: string;
}

export function HeatMap({ sentence, name, cells, best, format, told, nothing, waiting }: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [read, setRead] = useState<number>();
  const layout = heatMapLayout(width);
  const { columns, rows, cellWidth } = layout;
  const known = new Map(cells.map((cell) => [cell.day * hourCount + cell.hour, cell]));
  const valued = cells.flatMap(({ value, few }) => (value === null ? [] : [{ value, few }]));
  const sure = valued.filter(({ few }) => few !== true);
  const ranked = (sure.length > 1 ? sure : valued).map(({ value }) => value).toSorted((one, other) => one - other);
  const ring = best && layout.placeOf(best);
  const placeOf = (index: number): CellPlace => ({ column: index % columns, row: Math.floor(index / columns) });
  const toldOf = (index: number) => {
    const { day, hour } = layout.cellOf(placeOf(index));
    return told(day, hour);
  };
  const begin = ring ?? { column: 0, row: 0 };
  return (
    <div className="chart-box" ref={box}>
      {width > 0 && (
        <div className="chart-stage" style={{ width }}>
          <svg className="chart heat-map" width={width} height={layout.height} role="img" aria-label={sentence}>
            {Array.from({ length: columns * rows }, (_, index) => {
              const place = placeOf(index);
              const { day, hour } = layout.cellOf(place);
              return <Square key={index} {...{ layout, place, ranked }} cell={known.get(day * hourCount + hour)} />;
            })}
            {ring && <Ring className="best" layout={layout} place={ring} />}
            {read !== undefined && <Ring className="read" layout={layout} place={placeOf(read)} />}
            <Scales layout={layout} bestDay={best?.day} />
          </svg>
          <Reader
            name={name}
            count={columns * rows}
            row={columns}
            first={begin.row * columns + begin.column}
            at={(point) => {
              const place = layout.placeAt(point);
              return place && place.row * columns + place.column;
            }}
            place={(index) => ({
              x: layout.x(placeOf(index).column) + cellWidth / 2,
              y: layout.y(placeOf(index).row),
            })}
            told={toldOf}
            onRead={setRead}
          />
          <p className="legend row wrap" aria-hidden="true">
            {nothing}
            {[0, 1, 2, 3, 4, 5].map((step) => (
              <i key={step} style={{ background: `var(--heat-${step})` }} />
            ))}
            {format(ranked.at(-1) ?? 0)}
            {valued.length < cells.length && (
              <>
                <i className="legend-dot" />
                {waiting}
              </>
            )}
          </p>
        </div>
      )}
    </div>
  );
}
