import type { Comparison } from "@reelscript/contract";
import { comparisonWords } from "@reelscript/contract/values";

/** What became clear from one report to the next, and what no longer is; `undefined` where one of them tested nothing. */
export function changedTakeaways(
  before: readonly Comparison[] | undefined,
  now: readonly Comparison[] | undefined,
): { readonly new: readonly string[]; readonly gone: readonly string[] } | undefined {
  if (before === undefined || now === undefined) return undefined;
  const clear = (some: readonly Comparison[]) => some.filter((one) => one.clear);
  const missing = (some: readonly Comparison[], others: readonly Comparison[]): string[] =>
    clear(some)
      .filter((one) => !clear(others).some((other) => isSame(one, other)))
      .map((one) => comparisonWords(one).claim);
  return { new: missing(now, before), gone: missing(before, now) };
}

/** Blocks of hours that overlap say the same of the same kind in the same direction. */
const isSame = (one: Comparison, other: Comparison): boolean =>
  one.kind === other.kind && one.times > 1 === other.times > 1;
