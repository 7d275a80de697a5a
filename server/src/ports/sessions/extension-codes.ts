import type { Account } from "../accounts.ts";

/** One-time codes with which extensions fetch their tokens. Hashes are SHA-256. */
export interface ExtensionCodes {
  create(code: {
    readonly codeHash: Uint8Array;
    readonly accountId: string;
    /** In which it was approved; the code ends with it. */
    readonly sessionId: string;
    /** Of the verifier that the extension keeps. */
    readonly challenge: Uint8Array;
    readonly expiresAt: Date;
  }): Promise<void>;
  /**
   * Ends the code and says whose it was; `undefined` when there is none, it expired, or the verifier is wrong. Of any number
   * of racers one gets it.
   */
  take(codeHash: Uint8Array, verifierHash: Uint8Array, now: Date): Promise<Account | undefined>;
}
