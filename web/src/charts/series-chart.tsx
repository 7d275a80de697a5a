import { useState } from "react";
import { drawingSize, linearScale, linePath, ticksOf } from "./geometry.ts";
import { Reader, useWidth } from "./reader.tsx";
import { Axis, axisWidth } from "./time-chart.tsx";

interface Props {
  readonly sentence: string;
  readonly name: string;
  /** Milliseconds since 1970, in order. */
  readonly moments: readonly number[];
  /** `null` if unknown; the line is interrupted there. */
  readonly values: readonly (number | null)[];
  readonly labels: readonly string[];
  readonly format: (value: number) => string;
  readonly texts: (index: number) => readonly [string, ...string[]];
}

const height = 170;
const top = 26;
const base = 140;
/** Pixels before the first and after the last point, for half a label each. */
const edge = 34;
/** Pixels for a label. */
const label = 72;

/** A line through points at irregular moments, from 0. */
export function SeriesChart({ sentence, name, moments, values, labels, format, texts }: Props) {
  const [box, boxWidth] = useWidth();
  const [read, setRead] = useState<number>();
  const width = Math.max(0, boxWidth - axisWidth);
  const ticks = ticksOf(Math.max(0, ...values.filter((value) => value !== null)));
  const y = linearScale([0, ticks.at(-1)!], [base, top]); // safe: there are two ticks at least
  const x = linearScale([moments[0] ?? 0, moments.at(-1) ?? 0], [edge, width - edge]);
  const positions = moments.map(x);
  const points = values.map((value, index) => (value === null ? null : { x: positions[index]!, y: y(value) })); // safe: as many as moments
  const nearest = (at: number): number =>
    positions.reduce(
      (best, position, index) => (Math.abs(position - at) < Math.abs(positions[best]! - at) ? index : best),
      0,
    );
  return (
    <div className="chart-box with-axis" ref={box}>
      {boxWidth > 0 && (
        <>
          <Axis ticks={ticks} y={y} format={format} height={height} />
          <div className="chart-stage" style={{ width }}>
            <svg className="chart" {...drawingSize(width, height)} role="img" aria-label={sentence}>
              <path className="grid-lines" d={ticks.map((tick) => `M0 ${y(tick)}H${width}`).join("")} />
              {read !== undefined && <path className="reading-line" d={`M${positions[read]} ${top}V${base}`} />}
              <g className="line">
                <path d={linePath(points)} />
                {points.map((point, index) => point && <circle key={index} cx={point.x} cy={point.y} r={3.5} />)}
              </g>
              {labeledIndices(positions).map((index) => (
                <text key={index} x={positions[index]} y={base + 22} textAnchor="middle">
                  {labels[index]}
                </text>
              ))}
            </svg>
            <Reader
              name={name}
              count={moments.length}
              first={moments.length - 1}
              at={(point) => nearest(point.x)}
              pointOf={(index) => ({ x: positions[index]!, y: points[index]?.y ?? base })}
              texts={texts}
              read={read}
              onRead={setRead}
            />
          </div>
        </>
      )}
    </div>
  );
}

/** Indices of positions whose labels don't touch: the newest one, and as many before it as fit. */
function labeledIndices(positions: readonly number[]): readonly number[] {
  const indices: number[] = [];
  for (let index = positions.length - 1; index >= 0; index -= 1) {
    const last = indices[0];
    if (last === undefined || positions[last]! - positions[index]! >= label) indices.unshift(index);
  }
  return indices;
}
