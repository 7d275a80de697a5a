import { useId } from "react";
import { exactNumber } from "../format.ts";
import { classNames } from "./class-names.ts";

interface Props {
  readonly label?: string;
  readonly name: string;
  readonly used: number;
  readonly limit: number | null;
  /** Leaves the line above away; then the figures must stand elsewhere. */
  readonly bare?: boolean;
}

/** Always with its figures: "231 of 250". From 90% it warns. */
export function Meter({ label, name, used, limit, bare = false }: Props) {
  const id = useId();
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit);
  const figures = limit === null ? `${exactNumber(used)}, no limit` : `${exactNumber(used)} of ${exactNumber(limit)}`;
  return (
    <>
      {!bare && (
        <span className="row">
          {label !== undefined && <b id={id}>{label}</b>}
          <bdi className="at-end">{figures}</bdi>
        </span>
      )}
      {limit !== null && (
        <span
          className={classNames("meter", share >= 1 ? "full" : share >= 0.9 && "warn")}
          role="meter"
          aria-label={name}
          aria-valuenow={Math.min(used, limit)}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuetext={figures}
        >
          <i style={{ inlineSize: `${share * 100}%` }} />
        </span>
      )}
    </>
  );
}
