import type { BioContent } from "@reelscript/contract";
import { keep, parseKept } from "../../../api/browser-storage.ts";

export interface SavedDraft {
  /** Of the page that the draft began from, and what it said. */
  readonly revision: number;
  readonly base: BioContent;
  readonly draft: BioContent;
}

const storageKeyOf = (accountId: string): string => `reelscript-bio-draft-${accountId}`;

/** What was not published when the page was left. */
export const loadDraft = (accountId: string): SavedDraft | undefined =>
  (parseKept(storageKeyOf(accountId)) as SavedDraft | null) ?? undefined;

/** Whether it could be kept; a browser may refuse. */
export const saveDraft = (accountId: string, draft: SavedDraft): boolean =>
  keep(storageKeyOf(accountId), JSON.stringify(draft));

export const forgetDraft = (accountId: string): void => void keep(storageKeyOf(accountId), null);
