import type { Output } from "../../../../api/operation-types.ts";

export type Correctable = Output<"getScriptCorrection">;

/** What somebody is writing, and the texts that they began with. */
export interface CorrectionDraft {
  readonly base: Correctable;
  readonly texts: readonly string[];
}

export const draftOf = (base: Correctable): CorrectionDraft => ({
  base,
  texts: base.segments.map(({ text }) => text),
});

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
