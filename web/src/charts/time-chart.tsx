import { useEffect, useRef, useState } from "react";
import {
  drawingSize,
  highest,
  labeledBars,
  areaPath,
  barPath,
  linePath,
  lonePoints,
  type Points,
  linearScale,
  ticksOf,
  spacedIndices,
} from "./geometry.ts";
import { Reader, useWidth } from "./reader.tsx";

/** Marks on the base line, which distinguish a step without any value from one that is unknown. */
const emptySteps = (values: Values, x: (index: number) => number, barWidth: number): string =>
  values.map((value, index) => (value === 0 ? `M${x(index) - barWidth / 2} ${base}h${barWidth}` : "")).join("");

type Values = readonly (number | null)[];

interface Props {
  readonly sentence: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly bars?: Values;
  readonly area?: Values;
  readonly line?: Values;
  readonly format: (value: number) => string;
  readonly texts: (index: number) => readonly [string, ...string[]];
  /** The values are counts. */
  readonly whole?: boolean;
}

const height = 210;
const top = 30;
const base = 180;
/** Width of the axis figures, which stay in place while the drawing scrolls. */
export const axisWidth = 44;
const narrowestStep = 8;
const widestBar = 28;
/** Pixels for a figure above a bar and a label below it. */
const figure = 42;
const label = 64;
/** Half the width of a label below; the first and the last one must not be cut off. */
const halfLabel = 20;
const labelAt = (x: number, width: number): number => Math.max(halfLabel, Math.min(x, width - halfLabel));

/**
 * Bars, an area and a line over equal steps of time, from 0. If the steps don't fit, it scrolls, and the newest end is shown
 * first.
 */
export function TimeChart({ sentence, name, labels, bars, area, line, format, texts, whole = false }: Props) {
  const [box, boxWidth, isPrinted] = useWidth();
  const scroller = useRef<HTMLDivElement>(null);
  const [read, setRead] = useState<number>();
  const count = labels.length;
  // Paper doesn't scroll.
  const width = Math.max(boxWidth - axisWidth, isPrinted ? 0 : count * narrowestStep);
  useEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, [width, boxWidth]);

  const largest = Math.max(
    0,
    ...[bars, area, line].flatMap((values) => values?.filter((value) => value !== null) ?? []),
  );
  const ticks = ticksOf(largest, { whole });
  const y = linearScale([0, ticks.at(-1)!], [base, top]); // safe: there are two ticks at least
  const step = width / count;
  const x = (index: number): number => (index + 0.5) * step;
  const barWidth = Math.min(widestBar, Math.max(Math.min(4, step * 0.8), step * 0.44));
  const points = (values: Values = []) =>
    values.map((value, index) => (value === null ? null : { x: x(index), y: y(value) }));
  const best = new Set(bars ? highest(bars, 3) : []);
  const drawBars = (those: (index: number) => boolean): string =>
    (bars ?? [])
      .map((value, index) =>
        value !== null && those(index) ? barPath(x(index) - barWidth / 2, barWidth, y(value), base) : "",
      )
      .join("");
  const heightOf = (index: number): number =>
    Math.min(...[bars, area, line].flatMap((values) => (values?.[index] == null ? [] : [y(values[index])])), base);

  return (
    <div className="chart-box with-axis" ref={box}>
      {boxWidth > 0 && (
        <>
          <Axis ticks={ticks} y={y} format={format} height={height} />
          <div className="chart-scroll" ref={scroller}>
            <div className="chart-stage" style={{ width }}>
              <svg className="chart" {...drawingSize(width, height)} role="img" aria-label={sentence}>
                <path className="grid-lines" d={ticks.map((tick) => `M0 ${y(tick)}H${width}`).join("")} />
                {read !== undefined && <path className="reading-line" d={`M${x(read)} ${top}V${base}`} />}
                <path className="empty-steps" d={emptySteps(bars ?? area ?? line ?? [], x, barWidth)} />
                <path className="rest" d={drawBars((index) => !best.has(index))} />
                <path className="leading-bars" d={drawBars((index) => best.has(index))} />
                {area && (
                  <>
                    <path className="area" d={areaPath(points(area), base)} />
                    <Line className="line of-area" points={points(area)} />
                  </>
                )}
                {line && <Line className="line" points={points(line)} />}
                {bars &&
                  labeledBars(bars, { gap: figure / step }).map((index) => (
                    <text key={index} className="emphasized" x={x(index)} y={y(bars[index]!) - 8} textAnchor="middle">
                      {format(bars[index]!)}
                    </text>
                  ))}
                {spacedIndices(count, width, label).map((index) => (
                  <text key={index} x={labelAt(x(index), width)} y={base + 22} textAnchor="middle">
                    {labels[index]}
                  </text>
                ))}
              </svg>
              <Reader
                name={name}
                count={count}
                first={count - 1}
                at={(point) => Math.max(0, Math.min(count - 1, Math.floor(point.x / step)))}
                pointOf={(index) => ({ x: x(index), y: heightOf(index) })}
                texts={texts}
                read={read}
                onRead={setRead}
              />
            </div>
          </div>
        </>
      )}
    </div>
  );
}

interface LineProps {
  readonly className: string;
  readonly points: Points;
}

const Line = ({ className, points }: LineProps) => (
  <g className={className}>
    <path d={linePath(points)} />
    {lonePoints(points).map(({ x, y }) => (
      <circle key={x} cx={x} cy={y} r={3} />
    ))}
  </g>
);

interface AxisProps {
  readonly ticks: readonly number[];
  readonly y: (value: number) => number;
  readonly format: (value: number) => string;
  /** Pixels around the drawing. */
  readonly height: number;
}

export function Axis({ ticks, y, format, height }: AxisProps) {
  return (
    <svg className="chart" width={axisWidth} height={height} aria-hidden="true">
      {ticks.map((tick) => (
        <text key={tick} x={0} y={y(tick) + 4}>
          {tick === 0 ? "0" : format(tick)}
        </text>
      ))}
    </svg>
  );
}
