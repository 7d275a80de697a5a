import { linePath, linearScale } from "./geometry.ts";

const width = 96;
const height = 24;
const margin = 2;

/** How a figure came about, from 0; the figure and its change stand beside it, so nothing is read out. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  if (values.length < 2) return undefined;
  const x = linearScale([0, values.length - 1], [margin, width - margin]);
  const y = linearScale([0, Math.max(1, ...values)], [height - margin, margin]);
  return (
    <svg className="chart spark" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className="line" d={linePath(values.map((value, index) => ({ x: x(index), y: y(value) })))} />
    </svg>
  );
}
