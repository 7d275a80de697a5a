import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { TableHead, type Column } from "./page.tsx";

interface ScrolledTableProps {
  readonly className: string;
  /** Its accessible name, or the id of the element that has it. */
  readonly label?: string;
  readonly headingId?: string;
  readonly children: ReactNode;
}

/** A table that may be wider than its container: then it says so, and the keyboard can reach it. */
export function ScrolledTable({ className, label, headingId, children }: ScrolledTableProps) {
  const scrolled = useRef<HTMLDivElement>(null);
  const [overflow, setOverflow] = useState({ sideways: false, down: false });
  // Measured before the table is painted, so that the hint moves nothing.
  useLayoutEffect(() => {
    const element = scrolled.current!; // safe: it is always drawn
    const look = (): void => {
      // Measuring a closed part would lay it out; it is measured when it opens.
      if (!element.checkVisibility()) return;
      const sideways = element.scrollWidth > element.clientWidth;
      const down = element.scrollHeight > element.clientHeight;
      setOverflow((last) => (last.sideways === sideways && last.down === down ? last : { sideways, down }));
    };
    look();
    const observer = new ResizeObserver(look);
    // Cells may grow without the place around them.
    for (const one of [element, element.firstElementChild!]) observer.observe(one); // safe: the table
    return () => observer.disconnect();
  }, []);
  return (
    <div>
      {overflow.sideways && (
        <p className="scroll-hint meta screen-only" aria-hidden="true">
          Scroll sideways for more
          <Icon name="forward" small />
        </p>
      )}
      <div
        ref={scrolled}
        className={`scrolled-table ${className}`}
        // Not a region, because it is usually inside a landmark with the same name.
        role="group"
        aria-label={label}
        aria-labelledby={headingId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={overflow.sideways || overflow.down ? 0 : undefined}
      >
        <table>{children}</table>
      </div>
    </div>
  );
}

interface NamedRowsProps {
  /** The first column has the names. */
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly [name: ReactNode, ...ReactNode[]])[];
}

const hasFigures = (column: Column | undefined): boolean => typeof column === "object" && column.figures !== undefined;

/** The head and the body of a table whose rows have names. */
export const NamedRows = ({ columns, rows }: NamedRowsProps) => (
  <>
    <TableHead columns={columns} />
    <tbody>
      {rows.map(([name, ...cells], index) => (
        <tr key={index}>
          <th scope="row">{name}</th>
          {cells.map((cell, column) => (
            <td key={column} className={hasFigures(columns[column + 1]) ? "number" : undefined}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </>
);
