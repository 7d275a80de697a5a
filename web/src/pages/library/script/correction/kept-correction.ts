import type { CorrectionDraft } from "./correction-draft.ts";

const mostKept = 5;
const placesOf = (accountId: string): string => `reelscript-corrections-${accountId}`;

type Kept = readonly (readonly [scriptId: string, draft: CorrectionDraft])[];

function read(accountId: string): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placesOf(accountId)) ?? "[]");
    return Array.isArray(kept) ? (kept as Kept) : [];
  } catch {
    return [];
  }
}

/** What was written and not saved. */
export const keptCorrection = (accountId: string, scriptId: string): CorrectionDraft | undefined =>
  read(accountId).find(([id]) => id === scriptId)?.[1];

/** Keeps the drafts that were written last; `undefined` removes one. Whether the browser could. */
export function keepCorrection(accountId: string, scriptId: string, draft: CorrectionDraft | undefined): boolean {
  const others = read(accountId).filter(([id]) => id !== scriptId);
  const kept: Kept = draft === undefined ? others : [[scriptId, draft] as const, ...others].slice(0, mostKept);
  try {
    if (kept.length === 0) localStorage.removeItem(placesOf(accountId));
    else localStorage.setItem(placesOf(accountId), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}
