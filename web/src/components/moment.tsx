import { exactDate, longDate, relativeDate, shortDate } from "../format/date.ts";

interface Props {
  /** ISO 8601 */
  readonly at: string;
  /** relative: 4 min ago, Yesterday, 22:14; short: 14 Nov; long: 14 Nov 2026 */
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
