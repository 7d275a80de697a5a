/** A name, of figures at the end of their column, or read out only. */
type Column = string | { readonly figures: string } | { readonly hidden: string };

/** The names of a table's columns. */
export const TableHead = ({ columns }: { readonly columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column) => {
        if (typeof column === "string")
          return (
            <th key={column} scope="col">
              {column}
            </th>
          );
        if ("figures" in column)
          return (
            <th key={column.figures} scope="col" className="number">
              {column.figures}
            </th>
          );
        return (
          <th key={column.hidden} scope="col">
            <span className="visually-hidden">{column.hidden}</span>
          </th>
        );
      })}
    </tr>
  </thead>
);
