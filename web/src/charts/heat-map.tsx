import { useState } from "react";
import { heatStep } from "./heat-step.ts";
import { Ring, Scales, squarePath, Squares } from "./heat-map-drawing.tsx";
import { heatMapLayout, hourCount, type CellPlace } from "./heat-map-layout.ts";
import { Reader } from "./reader.tsx";
import { Told } from "./told.tsx";
import { useWidth } from "./use-width.ts";

interface HeatCell {
  /** 0 is Monday. */
  readonly day: number;
  readonly hour: number;
  /** `null`: something was there, but it has no value yet; it gets a dot. */
  readonly value: number | null;
  /** Too few speak for it: drawn pale. */
  readonly few?: boolean;
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

/** The hours of a week, the fuller the higher; the best one has a ring. */
export function HeatMap({ sentence, name, cells, best, format, told, nothing, waiting }: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [read, setRead] = useState<number>();
  const layout = heatMapLayout(width);
  const { columns, rows, cellWidth } = layout;
  const unvalued = cells.filter(({ value }) => value === null);
  const valued = cells.flatMap(({ value, ...cell }) => (value === null ? [] : [{ ...cell, value }]));
  const sure = valued.filter(({ few }) => few !== true);
  const ranked = (sure.length > 1 ? sure : valued).map(({ value }) => value).toSorted((one, other) => one - other);
  const steps = new Map(valued.map(({ day, hour, value }) => [day * hourCount + hour, heatStep(value, ranked)]));
  const shades = ["", "", "", "", "", ""];
  const paleShades = ["", "", "", "", "", ""];
  const pale = new Set(valued.flatMap(({ day, hour, few }) => (few ? [day * hourCount + hour] : [])));
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const { day, hour } = layout.cellOf(column, row);
      const cell = day * hourCount + hour;
      const square = squarePath(layout, { column, row });
      if (pale.has(cell)) paleShades[steps.get(cell) ?? 0] += square;
      else shades[steps.get(cell) ?? 0] += square;
    }
  const ring = best && layout.placeOf(best.day, best.hour);
  const placeOf = (index: number): CellPlace => ({ column: index % columns, row: Math.floor(index / columns) });
  const cellAt = (index: number) => layout.cellOf(placeOf(index).column, placeOf(index).row);
  const begin = ring ?? { column: 0, row: 0 };
  return (
    <div className="chart-box" ref={box}>
      {width > 0 && (
        <div className="chart-stage" style={{ width }}>
          <svg className="chart heat-map" width={width} height={layout.height} role="img" aria-label={sentence}>
            <Squares layout={layout} shades={shades} paleShades={paleShades} unvalued={unvalued} />
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
            text={(index) => told(cellAt(index).day, cellAt(index).hour).join(", ")}
            tip={(index) => <Told lines={told(cellAt(index).day, cellAt(index).hour)} />}
            onRead={setRead}
          />
          <p className="legend" aria-hidden="true">
            {nothing}
            {shades.map((_, step) => (
              // oxlint-disable-next-line react/no-array-index-key -- the place is the shade
              <i key={step} style={{ background: `var(--heat-${step})` }} />
            ))}
            {format(ranked.at(-1) ?? 0)}
            {unvalued.length > 0 && (
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
