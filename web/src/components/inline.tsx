import { exactDate, logTime, longDate, relativeDate, shortDate, exactNumber } from "../format.ts";
import { Fragment, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { gelOf } from "@reelscript/contract/values";

interface MomentProps {
  /** ISO 8601 */
  readonly at: string;
  /** relative: 4 min ago, Yesterday, 10:14 PM; short: Nov 14; long: Nov 14, 2026; log: Nov 14, 6:20:04 PM */
  readonly style?: "relative" | "short" | "long" | "log";
}

export function Moment({ at, style = "relative" }: MomentProps) {
  const text = { relative: relativeDate, short: shortDate, long: longDate, log: logTime }[style](at);
  return (
    <time dateTime={at} title={exactDate(at)}>
      <bdi>{text}</bdi>
    </time>
  );
}

/** The name of a platform account, kept apart from the direction of the text around it; a long one breaks at its signs. */
export const Handle = ({ name }: { readonly name: string }) => (
  <bdi>
    @
    {name
      .replace(/^@/, "")
      .split(/(?<=[._])/)
      .map((part, place) => (
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
  </bdi>
);

interface ChipProps {
  readonly kind?: "plain" | "ok" | "warn" | "bad" | "outline";
  readonly children: ReactNode;
}

/** A state, never an action. */
export function Chip({ kind = "plain", children }: ChipProps) {
  return <span className={classNames("chip", kind !== "plain" && kind)}>{children}</span>;
}

const tag = /([#@][\p{L}\p{M}\p{N}_.]+)/u;

/** A caption's words. Tags are set apart, or in a right-to-left line their # would stand at the wrong end. */
export const CaptionText = ({ text }: { readonly text: string }) =>
  text.split(tag).map((part, place) => (tag.test(part) ? <bdi key={place}>{part}</bdi> : part));

interface AvatarProps {
  readonly name: string;
  readonly large?: boolean;
}

export function Avatar({ name, large = false }: AvatarProps) {
  const [first = "?"] = name.replace(/^@/, "");
  return (
    <span className={classNames("avatar", large && "large", gelOf(name))} aria-hidden="true">
      {first.toLocaleUpperCase()}
    </span>
  );
}

interface MeterProps {
  readonly label?: string;
  readonly name: string;
  readonly used: number;
  readonly limit: number | null;
  /** Leaves the line above away; then the figures must stand elsewhere. */
  readonly bare?: boolean;
}

/** Always with its figures: "231 of 250". From 90% it warns. */
export function Meter({ label, name, used, limit, bare = false }: MeterProps) {
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
