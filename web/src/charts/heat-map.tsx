import { heatStep } from "@reelscript/contract/values";
import { useState } from "react";
import { shortNumber } from "../format.ts";
import { drawingSize, type Point } from "./geometry.ts";
import { Reader, useWidth } from "./reader.tsx";

const weekDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const dayCount = weekDays.length;
const hourCount = 24;
/** Start of a working day; if hours run down, earlier hours come last. */
const firstHourDown = 6;
const narrow = 440;
const gap = 3;

/** Positions of squares in the drawing, in pixels. Squares are numbered row by row. */
interface HeatMapLayout {
  /** Whether hours run across and days down; otherwise days run across and hours down. */
  readonly across: boolean;
  readonly columns: number;
  readonly count: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly x: (column: number) => number;
  readonly y: (row: number) => number;
  readonly bottom: number;
  readonly height: number;
  /** The hour of the day at a step of the axis of hours. */
  readonly hourAt: (step: number) => number;
  readonly boxOf: (index: number, margin?: number) => Box;
  readonly hourOf: (index: number) => HourOfWeek;
  readonly indexOf: (hour: HourOfWeek) => number;
  /** The square at a point; `undefined` if there is none. */
  readonly indexAt: (point: Point) => number | undefined;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface HourOfWeek {
  /** 0 is Monday. */
  readonly day: number;
  readonly hour: number;
}

/** Hours run across and days down; in narrow windows days run across and hours down, starting at 06. */
function heatMapLayout(width: number): HeatMapLayout {
  const across = width >= narrow;
  const [columns, rows] = across ? [hourCount, dayCount] : [dayCount, hourCount];
  const [left, top] = across ? [40, 0] : [28, 18];
  const cellWidth = (width - left + gap) / columns - gap;
  const cellHeight = across ? Math.min(24, Math.max(16, cellWidth)) : 16;
  const x = (column: number): number => left + column * (cellWidth + gap);
  const y = (row: number): number => top + row * (cellHeight + gap);
  const bottom = y(rows) - gap;
  const hourAt = (step: number): number => (across ? step : (step + firstHourDown) % hourCount);
  return {
    across,
    columns,
    count: columns * rows,
    cellWidth,
    cellHeight,
    x,
    y,
    bottom,
    height: bottom + (across ? 22 : 2),
    hourAt,
    boxOf: (index, margin = 0) => ({
      x: x(index % columns) - margin,
      y: y(Math.floor(index / columns)) - margin,
      width: cellWidth + 2 * margin,
      height: cellHeight + 2 * margin,
    }),
    hourOf: (index) => {
      const column = index % columns;
      const row = Math.floor(index / columns);
      return across ? { day: row, hour: column } : { day: column, hour: hourAt(row) };
    },
    indexOf: ({ day, hour }) =>
      across ? day * columns + hour : ((hour - firstHourDown + hourCount) % hourCount) * columns + day,
    indexAt: (point) => {
      const column = Math.floor((point.x - left) / (cellWidth + gap));
      const row = Math.floor((point.y - top) / (cellHeight + gap));
      const inside = column >= 0 && column < columns && row >= 0 && row < rows;
      return inside ? row * columns + column : undefined;
    },
  };
}

interface HeatCell extends HourOfWeek {
  /** `null` if there were reels but there is no value yet; the square gets a dot. */
  readonly value: number | null;
  /** Based on too few reels; drawn pale. */
  readonly few?: boolean;
}

interface SquareProps {
  readonly box: Box;
  readonly cell: HeatCell | undefined;
  /** The values that separate the shades, lowest first. */
  readonly ranked: readonly number[];
}

function Square({ box, cell, ranked }: SquareProps) {
  const value = cell?.value ?? undefined;
  const fill = `var(--heat-${value === undefined ? 0 : heatStep(value, ranked)})`;
  return (
    <>
      <rect className={value !== undefined && cell?.few ? "few" : undefined} {...box} style={{ fill }} />
      {cell?.value === null && (
        <circle className="no-value" cx={box.x + box.width / 2} cy={box.y + box.height / 2} r={2} />
      )}
    </>
  );
}

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
  readonly best?: HourOfWeek | undefined;
  readonly texts: (day: number, hour: number) => readonly [string, ...string[]];
}

export function HeatMap({ sentence, name, cells, best, texts }: Props) {
  const [box, width] = useWidth();
  const [read, setRead] = useState<number>();
  const layout = heatMapLayout(width);
  const { columns, count, boxOf, hourOf } = layout;
  const cellByIndex = new Map(cells.map((cell) => [layout.indexOf(cell), cell]));
  const valued = cells.flatMap(({ value, few }) => (value === null ? [] : [{ value, few }]));
  const sure = valued.filter(({ few }) => few !== true);
  const ranked = (sure.length > 1 ? sure : valued).map(({ value }) => value).toSorted((one, other) => one - other);
  const bestIndex = best && layout.indexOf(best);
  return (
    <div className="chart-box" ref={box}>
      {width > 0 && (
        <div className="chart-stage" style={{ width }}>
          <svg className="chart heat-map" {...drawingSize(width, layout.height)} role="img" aria-label={sentence}>
            {Array.from({ length: count }, (_, index) => (
              <Square key={index} box={boxOf(index)} cell={cellByIndex.get(index)} ranked={ranked} />
            ))}
            {bestIndex !== undefined && <rect className="best" {...boxOf(bestIndex, 1)} rx={3} />}
            {read !== undefined && <rect className="read" {...boxOf(read, 1)} rx={3} />}
            <Scales layout={layout} bestDay={best?.day} />
          </svg>
          <Reader
            name={name}
            count={count}
            row={columns}
            first={bestIndex ?? 0}
            at={layout.indexAt}
            pointOf={(index) => ({ x: boxOf(index).x + layout.cellWidth / 2, y: boxOf(index).y })}
            texts={(index) => texts(hourOf(index).day, hourOf(index).hour)}
            read={read}
            onRead={setRead}
          />
          <p className="legend row wrap" aria-hidden="true">
            No reel
            {[0, 1, 2, 3, 4, 5].map((step) => (
              <i key={step} style={{ background: `var(--heat-${step})` }} />
            ))}
            {shortNumber(ranked.at(-1) ?? 0)}
            {valued.length < cells.length && (
              <>
                <i className="legend-dot" />
                Too recent, or views hidden
              </>
            )}
          </p>
        </div>
      )}
    </div>
  );
}
