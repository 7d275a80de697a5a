import type { ReactNode } from "react";
import { Meter } from "../../components/meter.tsx";
import { exactNumber } from "../../format/number.ts";

interface Props {
  /** Read out. */
  readonly name: string;
  /** Shown instead of the name, where it is more than text. */
  readonly shown?: ReactNode;
  readonly about: ReactNode;
  readonly used: number;
  readonly limit: number | null;
}

/** A meter with whose it is and its figures. */
export function UseRow({ name, shown, about, used, limit }: Props) {
  return (
    <li className="usage-row">
      <span className="subject">
        <b>{shown ?? name}</b>
        <span className="meta">{about}</span>
      </span>
      <span className="gauge">{limit !== null && <Meter bare name={name} used={used} limit={limit} />}</span>
      <span>
        <bdi>
          <b>{exactNumber(used)}</b>
          <span className="muted">{limit === null ? ", no limit" : ` of ${exactNumber(limit)}`}</span>
        </bdi>
      </span>
    </li>
  );
}

export function PendingRows({ count }: { readonly count: number }) {
  return (
    <div role="status" aria-label="Loading what is used">
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="usage-row pending" aria-hidden="true">
          <span className="subject">
            <i />
            <i />
          </span>
          <span className="gauge">
            <span className="meter" />
          </span>
        </div>
      ))}
    </div>
  );
}
