import type { BioContent } from "@reelscript/contract";

export interface SavedDraft {
  /** Of the page that the draft began from, and what it said. */
  readonly revision: number;
  readonly base: BioContent;
  readonly draft: BioContent;
}

const shape = 1;
const storageKeyOf = (accountId: string): string => `reelscript-bio-draft-${accountId}`;

/** What was not published when the page was left. */
export function loadDraft(accountId: string): SavedDraft | undefined {
  try {
    const saved = JSON.parse(localStorage.getItem(storageKeyOf(accountId)) ?? "null") as
      | (SavedDraft & { shape: number })
      | null;
    if (saved?.shape !== shape) return undefined;
    return { ...saved, base: completed(saved.base), draft: completed(saved.draft) };
  } catch {
    return undefined;
  }
}

/** A draft may be older than a part of the page. */
const completed = (content: BioContent): BioContent => ({ ...content, seo: { ...unlisted, ...content.seo } });
const unlisted = { sitemap: false };

/** Whether it could be kept; a browser may refuse. */
export function saveDraft(accountId: string, draft: SavedDraft): boolean {
  try {
    localStorage.setItem(storageKeyOf(accountId), JSON.stringify({ shape, ...draft }));
    return true;
  } catch {
    return false;
  }
}

export function forgetDraft(accountId: string): void {
  try {
    localStorage.removeItem(storageKeyOf(accountId));
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
