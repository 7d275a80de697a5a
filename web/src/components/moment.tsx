import { exactDate, longDate, relativeDate, shortDate } from "../format/date.ts";

interface Props {
  /** ISO 8601 */
  readonly at: string;
  /** relative: 4 min ago, Yesterday, 10:14 PM; short: Nov 14; long: Nov 14, 2026 */
  readonly style?: "relative" | "short" | "long";
}

/** A date, exact on hover. */
export function Moment({ at, style = "relative" }: Props) {
  const text = { relative: relativeDate, short: shortDate, long: longDate }[style](at);
  return (
    <time dateTime={at} title={exactDate(at)}>
      <bdi>{text}</bdi>
    </time>
  );
}
