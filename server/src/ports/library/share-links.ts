import type { ScriptRow } from "./scripts.ts";

export interface ShareLink {
  readonly id: string;
  readonly token: string;
  readonly createdAt: Date;
  readonly script: ScriptRow;
}

/** Links by which anybody may read one script, until they are revoked or the script, its account or its reel goes. */
export interface ShareLinks {
  /** The script's link, which is a new one unless it has one. No account ever has more than `most`. */
  create(wanted: {
    readonly accountId: string;
    readonly scriptId: string;
    readonly token: string;
    readonly most: number;
    readonly now: Date;
  }): Promise<ShareLink | "full" | "noScript">;
  /** The account's links, newest first. */
  list(accountId: string): Promise<readonly ShareLink[]>;
  /** From then on nobody can open it, in any process. False when the account has no such link. */
  revoke(accountId: string, id: string): Promise<boolean>;
  /** What a token opens; nothing of a suspended account. */
  open(token: string): Promise<ScriptRow | undefined>;
}
