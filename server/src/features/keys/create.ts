import { keysPerAccount, ServiceError } from "@reelscript/contract";
import type { Clock, Keys } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { describeKey } from "./describe-key.ts";

interface Needs {
  readonly keys: Keys;
  readonly clock: Clock;
  /** Draws a key; only its hash is ever stored. */
  readonly drawKey: () => { readonly key: string; readonly hash: Uint8Array; readonly lastFour: string };
}

export const create =
  ({ keys, clock, drawKey }: Needs): Handler<"createKey"> =>
  async ({ input: { name }, caller }) => {
    const { key: secret, hash, lastFour } = drawKey();
    const made = await keys.create({ accountId: caller.account.id, name, hash, lastFour, now: clock.now() });
    if (made === "noAccount") throw new ServiceError("unauthorized", "This account was deleted. Sign in again.");
    if (made === "full")
      throw new ServiceError(
        "limitReached",
        `The account has ${keysPerAccount} live keys, which is the most. Revoke one that is not needed, then create the new one.`,
      );
    return { key: describeKey(made), secret };
  };
