import { exactDate, logTime, longDate, relativeDate, shortDate, exactNumber } from "../format.ts";
import { Fragment, type ReactNode } from "react";
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
    // The exact date is written when somebody points: a list has many moments, and few are pointed at.
    <time dateTime={at} onPointerEnter={({ currentTarget }) => void (currentTarget.title = exactDate(at))}>
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
  readonly kind?: "ok" | "warn" | "bad" | "outline";
  readonly children: ReactNode;
}

/** A state, never an action. */
export const Chip = ({ kind, children }: ChipProps) => <span className={classNames("chip", kind)}>{children}</span>;

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
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

/** From this share on an allowance is said to run out. */
export const nearlyAll = 0.9;

/** Its figures stand beside it. */
export function Meter({ name, used, limit }: MeterProps) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    <span
      className={classNames("meter", share >= 1 ? "full" : share >= nearlyAll && "warn")}
      role="meter"
      aria-label={name}
      aria-valuenow={Math.min(used, limit)}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuetext={`${exactNumber(used)} of ${exactNumber(limit)}`}
    >
      <i style={{ inlineSize: `${share * 100}%` }} />
    </span>
  );
}
