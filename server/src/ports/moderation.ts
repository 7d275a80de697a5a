import type { ReelAddress, ReelIdentity } from "./reels.ts";

/** The audit keeps the operator (`by`) and the reason. */
export interface Decision {
  readonly by: string;
  readonly reason: string;
  readonly now: Date;
}

export type ModerationAction =
  | "takeDownReel"
  | "allowReel"
  | "suspendAccount"
  | "unsuspendAccount"
  | "takeDownPage"
  | "restorePage";

interface AuditEntry {
  readonly at: Date;
  readonly by: string;
  /** A `ModerationAction`, `changePlan`, or an action of a newer release. */
  readonly action: string;
  /** URL of the reel, id of the account (with its new plan, if that was changed), or id and handle of the bio page. */
  readonly subject: string;
  readonly reason: string;
}

/** A bio page by its id, or by a handle that it has or gave up and that is still held. */
export type NamedBioPage = { readonly id: string } | { readonly handle: string };

export interface ModeratedBioPage {
  readonly id: string;
  readonly handle: string | null;
}

/** The operator's actions on reels, accounts and bio pages. Each is written together with its audit entry. */
export interface Moderation {
  /**
   * Removes the reel's transcript from the shared cache and all libraries, its thumbnail, and answers kept for repeated requests;
   * ends its transcription with `notFound` and gives the unit back. From then on nothing of it is stored, whatever was under way.
   * Says from how many libraries it went.
   */
  takeDown(reel: ReelAddress, decision: Decision): Promise<{ readonly scripts: number }>;
  /** Lets it be transcribed again. False, and no entry, when it was not taken down. */
  allow(reel: ReelAddress, decision: Decision): Promise<boolean>;
  isTakenDown(reel: ReelIdentity): Promise<boolean>;
  /** Those of the reels that are taken down. */
  listTakenDown(reels: readonly ReelIdentity[]): Promise<readonly ReelIdentity[]>;
  /**
   * Keys and sessions of the account keep their places, and their uses bring an account that is suspended. Its transcriptions
   * end with `unauthorized` and their units are given back. False, and no entry, when there is no such account or it is already.
   */
  suspend(accountId: string, decision: Decision): Promise<boolean>;
  /** False, and no entry, when there is no such account or it is not suspended. */
  unsuspend(accountId: string, decision: Decision): Promise<boolean>;
  /**
   * From then on visitors get neither the page nor its links and pictures, whatever its handle, and its owner can still edit it.
   * Returns the page; `"unknown"` and no entry when there is no such page, `"already"` when it is taken down.
   */
  takeDownPage(page: NamedBioPage, decision: Decision): Promise<ModeratedBioPage | "unknown" | "already">;
  /** Shows it to everybody again. `"already"` and no entry when it is not taken down. */
  restorePage(page: NamedBioPage, decision: Decision): Promise<ModeratedBioPage | "unknown" | "already">;
  /** Newest first. */
  audit(limit: number): Promise<AuditEntry[]>;
}
