import { useId, useState, type ReactNode } from "react";
import { NamedRows, ScrolledTable } from "../components/scrolled-table.tsx";
import { highest, linePath, linearScale } from "./geometry.ts";

interface ChartTable {
  /** The first column names the rows. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [string, ...ReactNode[]])[];
}

interface LegendEntry {
  readonly name: string;
  /** A token: `--series-2` */
  readonly color: string;
}

interface ChartFigureProps {
  readonly title: string;
  /** The newest figure, and how it changed. */
  readonly newest?: { readonly value: string; readonly change?: string | undefined };
  readonly sub?: ReactNode;
  readonly legend?: readonly LegendEntry[];
  /** Omitted where a table on the page has the same figures. */
  readonly table?: ChartTable;
  readonly children: ReactNode;
  readonly after?: ReactNode;
}

/** A chart in its card, with the same figures as a table for people who prefer one. */
export function ChartFigure({ title, newest, sub, legend, table, children, after }: ChartFigureProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <section className="card stack chart-card" aria-labelledby={id}>
      <div className="chart-heading row wrap">
        <div>
          <h2 id={id}>{title}</h2>
          {sub && <p className="meta">{sub}</p>}
        </div>
        <div className="row wrap at-end">
          {!asTable &&
            legend?.map(({ name, color }) => (
              <span key={name} className="meta row">
                <i className="swatch" style={{ background: `var(${color})` }} />
                {name}
              </span>
            ))}
          {table && (
            <button
              type="button"
              className="button ghost small"
              aria-label={`Show as ${asTable ? "chart" : "table"}: ${title}`}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? "Show as chart" : "Show as table"}
            </button>
          )}
        </div>
        {newest && (
          <p className="newest">
            <bdi>{newest.value}</bdi> {newest.change && <small>{newest.change}</small>}
          </p>
        )}
      </div>
      {asTable && table ? (
        <ScrolledTable className="chart-table" label={`${title}, as a table`}>
          <caption className="visually-hidden">{title}</caption>
          <NamedRows
            columns={table.columns.map((name, index) => (index === 0 ? name : { figures: name }))}
            rows={table.rows}
          />
        </ScrolledTable>
      ) : (
        children
      )}
      {after}
    </section>
  );
}

interface Item {
  readonly key: string;
  readonly name: ReactNode;
  readonly value: number;
  readonly figure: ReactNode;
}

interface BarListProps {
  readonly label: string;
  readonly items: readonly Item[];
  /** The value of a full bar; the largest value by default. */
  readonly full?: number;
}

/** A list whose bars repeat its figures. It already is text, so it needs no additional table. */
export function BarList({ label, items, full }: BarListProps) {
  const values = items.map(({ value }) => value);
  const largest = full ?? (Math.max(...values) || 1);
  const best = new Set(highest(values, 3));
  const share = (value: number): string => `${(value / largest) * 100}%`;
  return (
    <ul className="bar-list stack tight" aria-label={label}>
      {items.map(({ key, name, value, figure }, index) => (
        <li key={key}>
          <span className="name">{name}</span>
          <span className="number semibold">{figure}</span>
          <span className="track" aria-hidden="true">
            <i className={best.has(index) ? "leading" : undefined} style={{ width: share(value) }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  readonly small?: ReactNode;
}

export const Figures = ({ label, figures }: { readonly label: string; readonly figures: readonly Figure[] }) => (
  <dl className="card figures" aria-label={label}>
    {figures.map(({ name, value, small }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value}
          {small && <small>{small}</small>}
        </dd>
      </div>
    ))}
  </dl>
);

const width = 96;
const height = 24;
const margin = 2;

/** A sparkline from 0. The figure and its change are shown next to it, so it is hidden from screen readers. */
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
