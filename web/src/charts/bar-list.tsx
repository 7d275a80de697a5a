import type { ReactNode } from "react";
import { highest } from "./geometry.ts";

interface Item {
  readonly key: string;
  readonly name: ReactNode;
  readonly value: number;
  /** The figure as it is shown: "312 views". */
  readonly shown: ReactNode;
}

interface Props {
  readonly label: string;
  readonly items: readonly Item[];
  /** A value that a thin line marks in all bars, such as the average. */
  readonly mark?: number | undefined;
}

/** A list whose bars show its figures again. It is text already, so it needs no table beside it. */
export function BarList({ label, items, mark }: Props) {
  const values = items.map(({ value }) => value);
  const largest = Math.max(...values, mark ?? 0) || 1;
  const best = new Set(highest(values, 3));
  const share = (value: number): string => `${(value / largest) * 100}%`;
  return (
    <ul className="bar-list" aria-label={label}>
      {items.map(({ key, name, value, shown }, index) => (
        <li key={key}>
          <span className="name">{name}</span>
          <span className="number">{shown}</span>
          <span className="track" aria-hidden="true">
            <i className={best.has(index) ? "leading" : undefined} style={{ width: share(value) }} />
            {mark !== undefined && <b style={{ left: share(mark) }} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
