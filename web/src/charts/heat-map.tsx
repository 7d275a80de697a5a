import { useState } from "react";
import { heatStep } from "./heat-step.ts";
import { Reader } from "./reader.tsx";
import { useWidth } from "./use-width.ts";

interface HeatCell {
  /** 0 is Monday. */
  readonly day: number;
  readonly hour: number;
  /** `null`: something was there, but it has no value yet; it gets a dot. */
  readonly value: number | null;
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

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const dayCount = days.length;
const hourCount = 24;
/** Where a day of work begins; the hours before come last where hours run down. */
const firstHourDown = 6;
const narrow = 440;
const gap = 3;

interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly cellOf: (column: number, row: number) => { readonly day: number; readonly hour: number };
  readonly placeOf: (day: number, hour: number) => { readonly column: number; readonly row: number };
}

/** Hours across and days down; days across and hours down, from 06, where there is too little room. */
function layoutOf(width: number): Layout {
  if (width >= narrow) {
    const left = 40;
    const cellWidth = (width - left + gap) / hourCount - gap;
    return {
      columns: hourCount,
      rows: dayCount,
      left,
      top: 0,
      cellWidth,
      cellHeight: Math.min(24, Math.max(16, cellWidth)),
      cellOf: (column, row) => ({ day: row, hour: column }),
      placeOf: (day, hour) => ({ column: hour, row: day }),
    };
  }
  const left = 28;
  return {
    columns: dayCount,
    rows: hourCount,
    left,
    top: 18,
    cellWidth: (width - left + gap) / dayCount - gap,
    cellHeight: 16,
    cellOf: (column, row) => ({ day: column, hour: (row + firstHourDown) % hourCount }),
    placeOf: (day, hour) => ({ column: day, row: (hour - firstHourDown + hourCount) % hourCount }),
  };
}

/** The hours of a week, the fuller the higher; the best one has a ring. */
export function HeatMap({ sentence, name, cells, best, format, told, nothing, waiting }: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [read, setRead] = useState<number>();
  const layout = layoutOf(width);
  const { columns, rows, left, top, cellWidth, cellHeight } = layout;
  const x = (column: number): number => left + column * (cellWidth + gap);
  const y = (row: number): number => top + row * (cellHeight + gap);
  const across = columns === hourCount;
  const bottom = y(rows) - gap;
  const height = bottom + (across ? 22 : 2);
  const valued = cells.flatMap(({ value, ...cell }) => (value === null ? [] : [{ ...cell, value }]));
  const highest = Math.max(0, ...valued.map(({ value }) => value));
  const steps = new Map(valued.map(({ day, hour, value }) => [day * hourCount + hour, heatStep(value, highest)]));
  const square = (column: number, row: number): string =>
    `M${x(column)} ${y(row)}h${cellWidth}v${cellHeight}h${-cellWidth}z`;
  const shades = ["", "", "", "", "", ""];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const { day, hour } = layout.cellOf(column, row);
      shades[steps.get(day * hourCount + hour) ?? 0] += square(column, row);
    }
  const ring = best && layout.placeOf(best.day, best.hour);
  const cellAt = (index: number) => layout.cellOf(index % columns, Math.floor(index / columns));
  const begin = ring ?? { column: 0, row: 0 };
  return (
    <div className="chart-box" ref={box}>
      {width > 0 && (
        <div className="chart-stage" style={{ width }}>
          <svg className="chart hm" width={width} height={height} role="img" aria-label={sentence}>
            {shades.map((path, step) => (
              // oxlint-disable-next-line react/no-array-index-key -- the place is the shade
              <path key={step} className={step > 0 ? `a${step}` : undefined} d={path} />
            ))}
            {cells.map(({ day, hour, value }) => {
              const { column, row } = layout.placeOf(day, hour);
              return (
                value === null && (
                  <circle
                    key={`${day} ${hour}`}
                    className="no-value"
                    cx={x(column) + cellWidth / 2}
                    cy={y(row) + cellHeight / 2}
                    r={2}
                  />
                )
              );
            })}
            {ring && (
              <rect
                className="best"
                x={x(ring.column) - 1}
                y={y(ring.row) - 1}
                width={cellWidth + 2}
                height={cellHeight + 2}
                rx={3}
              />
            )}
            {read !== undefined && (
              <rect
                className="read"
                x={x(read % columns) - 1}
                y={y(Math.floor(read / columns)) - 1}
                width={cellWidth + 2}
                height={cellHeight + 2}
                rx={3}
              />
            )}
            {days.map((day, index) => (
              <text
                key={day}
                className={best?.day === index ? "k" : undefined}
                x={across ? 0 : x(index) + cellWidth / 2}
                y={across ? y(index) + cellHeight / 2 + 4 : 10}
                textAnchor={across ? "start" : "middle"}
              >
                {day}
              </text>
            ))}
            {Array.from({ length: hourCount / 3 }, (_, index) => index * 3).map((step) => {
              const hour = across ? step : (step + firstHourDown) % hourCount;
              return (
                <text key={step} x={across ? x(step) : 0} y={across ? bottom + 18 : y(step) + cellHeight / 2 + 4}>
                  {String(hour).padStart(2, "0")}
                </text>
              );
            })}
          </svg>
          <Reader
            name={name}
            count={columns * rows}
            row={columns}
            first={begin.row * columns + begin.column}
            at={(point) => {
              const column = Math.floor((point.x - left) / (cellWidth + gap));
              const row = Math.floor((point.y - top) / (cellHeight + gap));
              const inside = column >= 0 && column < columns && row >= 0 && row < rows;
              return inside ? row * columns + column : undefined;
            }}
            place={(index) => ({ x: x(index % columns) + cellWidth / 2, y: y(Math.floor(index / columns)) })}
            text={(index) => told(cellAt(index).day, cellAt(index).hour).join(", ")}
            tip={(index) => {
              const [first, ...rest] = told(cellAt(index).day, cellAt(index).hour);
              return (
                <>
                  <b>{first}</b>
                  {rest.map((text) => (
                    <span key={text}>{text}</span>
                  ))}
                </>
              );
            }}
            onRead={setRead}
          />
          <p className="leg" aria-hidden="true">
            {nothing}
            {shades.map((_, step) => (
              // oxlint-disable-next-line react/no-array-index-key -- the place is the shade
              <i key={step} style={{ background: `var(--h${step})` }} />
            ))}
            {format(highest)}
            {valued.length < cells.length && (
              <>
                <i className="dot" />
                {waiting}
              </>
            )}
          </p>
        </div>
      )}
    </div>
  );
}
