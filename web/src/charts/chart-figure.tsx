import { useId, useState, type ReactNode } from "react";

interface ChartTable {
  /** The first names the rows. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [string, ...ReactNode[]])[];
}

interface LegendEntry {
  readonly name: string;
  /** A token: `--series-2` */
  readonly color: string;
}

interface Props {
  readonly title: string;
  readonly sub?: ReactNode;
  /** With one series there is none. */
  readonly legend?: readonly LegendEntry[];
  readonly table: ChartTable;
  readonly children: ReactNode;
  /** Stands below the chart, and below the table. */
  readonly after?: ReactNode;
}

/** A chart in its card, with the same figures as a table for whom a table serves better. */
export function ChartFigure({ title, sub, legend, table, children, after }: Props) {
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
          <button
            type="button"
            className="button ghost small"
            aria-label={`Show as ${asTable ? "chart" : "table"}: ${title}`}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? "Show as chart" : "Show as table"}
          </button>
        </div>
      </div>
      {asTable ? <Table title={title} {...table} /> : children}
      {after}
    </section>
  );
}

function Table({ title, columns, rows }: ChartTable & { readonly title: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className="chart-table" role="region" aria-label={`${title}, as a table`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" className={index === 0 ? undefined : "number"}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]} className="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
