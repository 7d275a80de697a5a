import type { ReelAddress, ReelIdentity } from "./reels.ts";

/** The audit records the operator (`by`) and the reason. */
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

export type QueueAction = "cancelTranscription" | "retryTranscription" | "drainQueue" | "resumeQueue";

interface AuditEntry {
  readonly at: Date;
  readonly by: string;
  /** A `ModerationAction`, a `QueueAction`, `changePlan`, `inviteAccount`, `resetPassword`, or an action of a newer release. */
  readonly action: string;
  /** URL of the reel, id of the transcription, id of the account (with its new plan, if that was changed), or id and handle of the bio page. */
  readonly subject: string;
  /** Address of the account in `subject`; null where it has none, or is none. */
  readonly email: string | null;
  readonly reason: string;
}

/** A bio page by its id, or by a handle that it has or that is still reserved for it. */
export type NamedBioPage = { readonly id: string } | { readonly handle: string };

export interface ModeratedBioPage {
  readonly id: string;
  readonly handle: string | null;
}

/** The operator's actions on reels, accounts and bio pages. Each is written together with its audit entry. */
export interface Moderation {
  /**
   * Removes the reel's transcript from the shared cache and all libraries, its thumbnail, and answers kept for repeated
   * requests; ends its transcription with `notFound` and returns the unit. From then on nothing of it is stored, even by work
   * that was already running. Returns the number of libraries that it was in.
   */
  takeDown(reel: ReelAddress, decision: Decision): Promise<{ readonly scripts: number }>;
  /** Allows the reel to be transcribed again. False, without an entry, if it was not taken down. */
  allow(reel: ReelAddress, decision: Decision): Promise<boolean>;
  isTakenDown(reel: ReelIdentity): Promise<boolean>;
  /** Returns the reels that are taken down. */
  listTakenDown(reels: readonly ReelIdentity[]): Promise<readonly ReelIdentity[]>;
  /**
   * Keys and sessions of the account stay, but using them finds a suspended account. Its transcriptions end with `unauthorized`
   * and their units are returned. False, without an entry, if there is no such account or it is already suspended.
   */
  suspend(accountId: string, decision: Decision): Promise<boolean>;
  /** False, without an entry, if there is no such account or it is not suspended. */
  unsuspend(accountId: string, decision: Decision): Promise<boolean>;
  /**
   * From then on visitors get neither the page nor its links and pictures, whatever its handle; its owner can still edit it.
   * Returns the page; `"unknown"`, without an entry, if there is no such page, and `"already"` if it was taken down before.
   */
  takeDownPage(page: NamedBioPage, decision: Decision): Promise<ModeratedBioPage | "unknown" | "already">;
  /** Makes it public again. `"already"`, without an entry, if it is not taken down. */
  restorePage(page: NamedBioPage, decision: Decision): Promise<ModeratedBioPage | "unknown" | "already">;
  /** Everything that operators did, newest first. */
  audit(limit: number): Promise<AuditEntry[]>;
}
