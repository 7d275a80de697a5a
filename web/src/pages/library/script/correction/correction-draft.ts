import type { Output } from "@reelscript/client/core";
import { keepDraft, keptDraft } from "../../../../api/kept-drafts.ts";

export type Correctable = Output<"getScriptCorrection">;

export interface CorrectionDraft {
  readonly base: Correctable;
  readonly texts: readonly string[];
}

export const draftOf = (base: Correctable): CorrectionDraft => ({
  base,
  texts: base.segments.map(({ text }) => text),
});

/** By index; `undefined` where no other segment begins in the same second. */
export function placesInSecond({ segments }: Correctable): (string | undefined)[] {
  const seconds = segments.map(({ start }) => Math.floor(start));
  const sizes = new Map<number, number>();
  for (const second of seconds) sizes.set(second, (sizes.get(second) ?? 0) + 1);
  const seen = new Map<number, number>();
  return seconds.map((second) => {
    const size = sizes.get(second) ?? 0;
    if (size < 2) return undefined;
    const place = (seen.get(second) ?? 0) + 1;
    seen.set(second, place);
    return `${place} of ${size}`;
  });
}

export const countChanged = ({ base, texts }: CorrectionDraft): number =>
  base.segments.filter(({ text }, index) => texts[index]?.trim() !== text).length;

/**
 * The draft on top of what somebody else saved meanwhile: what was changed here stays. `undefined` when the reel was transcribed
 * again, so that the segments are others.
 */
export function rebased({ base, texts }: CorrectionDraft, latest: Correctable): CorrectionDraft | undefined {
  const isSame =
    latest.segments.length === base.segments.length &&
    latest.segments.every(({ original }, index) => original === base.segments[index]!.original);
  if (!isSame) return undefined;
  const changed = (index: number): boolean => texts[index]?.trim() !== base.segments[index]!.text;
  return {
    base: latest,
    texts: latest.segments.map(({ text }, index) => (changed(index) ? (texts[index] ?? text) : text)),
  };
}

export const keptCorrection = (accountId: string, scriptId: string): CorrectionDraft | undefined =>
  keptDraft("corrections", accountId, scriptId) as CorrectionDraft | undefined;

/** `undefined` removes it. Whether the browser could. */
export const keepCorrection = (accountId: string, scriptId: string, draft: CorrectionDraft | undefined): boolean =>
  keepDraft("corrections", accountId, scriptId, draft);
