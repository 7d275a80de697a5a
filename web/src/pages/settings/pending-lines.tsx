import { classNames } from "../../components/class-names.ts";

interface Props {
  /** What is read out meanwhile. */
  readonly label: string;
  readonly count: number;
  /** Rows of one line. */
  readonly low?: boolean;
}

/** As high as the rows that are awaited. */
export function PendingLines({ label, count, low = false }: Props) {
  return (
    <div className={classNames("pending-lines", low && "one-line-each")} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} aria-hidden="true">
          <i />
          {!low && <i />}
        </div>
      ))}
    </div>
  );
}
