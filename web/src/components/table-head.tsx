/** A name, of figures at the end of their column, or read out only. */
type Column = string | Named;
type Named = Readonly<Partial<Record<"name" | "figures" | "hidden", string>>>;

export const TableHead = ({ columns }: { readonly columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column) => {
        const { name, figures, hidden }: Named = typeof column === "string" ? { name: column } : column;
        const shown = name ?? figures ?? hidden;
        return (
          <th key={shown} scope="col" className={figures && "number"}>
            {hidden ? <span className="visually-hidden">{hidden}</span> : shown}
          </th>
        );
      })}
    </tr>
  </thead>
);
