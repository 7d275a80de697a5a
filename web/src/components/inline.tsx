import { exactDate, logTime, longDate, relativeDate, shortDate, exactNumber } from "../format.ts";
import { Fragment, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { gelOf } from "@reelscript/contract/values";

interface MomentProps {
  /** ISO 8601 */
  readonly at: string;
  /** relative: 4 min ago, Yesterday, 10:14 PM; short: Nov 14; long: Nov 14, 2026; log: Nov 14, 6:20:04 PM */
  readonly style?: "relative" | "short" | "long" | "log";
  /** Other words for it, such as "30 days left". */
  readonly children?: ReactNode;
}

export function Moment({ at, style = "relative", children }: MomentProps) {
  const text = { relative: relativeDate, short: shortDate, long: longDate, log: logTime }[style](at);
  return (
    // The exact date is formatted only on hover: a list has many dates, and people hover over few.
    <time dateTime={at} onPointerEnter={({ currentTarget }) => void (currentTarget.title = exactDate(at))}>
      <bdi>{children ?? text}</bdi>
    </time>
  );
}

/**
 * The handle of a platform account, isolated from the direction of the surrounding text; a long one wraps at its punctuation.
 */
export const Handle = ({ name }: { readonly name: string }) => (
  <bdi>
    @
    {name
      .replace(/^@/, "")
      .split(/(?<=[._])/)
      .map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
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

/** A caption's words. Tags are isolated, because in right-to-left text their # would move to the wrong end. */
export const CaptionText = ({ text }: { readonly text: string }) =>
  text.split(tag).map((part, index) => (tag.test(part) ? <bdi key={index}>{part}</bdi> : part));

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

/** From this share on, an allowance is reported as running low. */
export const nearlyAll = 0.9;

/** The figures are shown next to it. */
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
