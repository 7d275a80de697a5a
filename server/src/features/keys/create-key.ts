import { keysPerAccount, ServiceError } from "@reelscript/contract";
import type { Clock, Keys } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { describeKey } from "../../describe/describe-key.ts";

interface CreateKeyNeeds {
  readonly keys: Keys;
  readonly clock: Clock;
  /** Draws a key; only its hash is ever stored. */
  readonly drawKey: () => { readonly key: string; readonly hash: Uint8Array; readonly lastFour: string };
}

export const createKey =
  ({ keys, clock, drawKey }: CreateKeyNeeds): Handler<"createKey"> =>
  async ({ input: { name, expiresAt: end, readOnly }, caller }) => {
    const now = clock.now();
    const expiresAt = end === undefined ? undefined : new Date(end);
    if (expiresAt !== undefined && expiresAt <= now)
      throw new ServiceError("invalidRequest", "`expiresAt`: must be in the future.");
    const { key: secret, hash, lastFour } = drawKey();
    const made = await keys.create({ accountId: caller.account.id, name, hash, lastFour, expiresAt, readOnly, now });
    if (made === "noAccount")
      throw new ServiceError("unauthorized", "This account was deleted. Sign in again.", { reason: "accountDeleted" });
    if (made === "full")
      throw new ServiceError(
        "limitReached",
        `You already have ${keysPerAccount} keys, the maximum. Revoke one you don't need, then create the new one.`,
        { reason: "keysUsed" },
      );
    return { key: describeKey(made), secret };
  };
