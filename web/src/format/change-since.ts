import { percent } from "./number.ts";

/** `+24%` against what was before; `undefined` where there was nothing to compare with. */
export function changeSince(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return "as many";
  // A true minus sign, as wide as the plus.
  return `${change > 0 ? "+" : "\u2212"}${percent(Math.abs(change), 0)}`;
}
