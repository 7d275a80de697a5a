import { ServiceError } from "@reelscript/contract";
import { parseApiKey } from "./api-key.ts";
import { networkOf } from "./network-of.ts";
import type { Clock, Keys } from "../ports.ts";
import type { Caller } from "../caller.ts";
import { suspended } from "../rules/refusals.ts";
import type { CountRefused } from "./refused-calls.ts";

/** Says who calls, from the `Authorization` header. Throws `unauthorized` when a key is present but wrong, `rateLimited` when too many were. */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>;

export function createAuthenticate({
  keys,
  clock,
  countRefused,
}: {
  readonly keys: Keys;
  readonly clock: Clock;
  readonly countRefused: CountRefused;
}): Authenticate {
  async function refuse(
    address: string,
    reason: "keyMalformed" | "keyUnknown" | "accountSuspended",
    message: string,
  ): Promise<never> {
    await countRefused(networkOf(address));
    throw new ServiceError("unauthorized", message, { reason });
  }
  return async (authorization, address) => {
    if (authorization === undefined) return { kind: "anonymous", address: networkOf(address) };
    const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
    const hash = credential === undefined ? undefined : parseApiKey(credential);
    if (hash === undefined)
      return refuse(
        address,
        "keyMalformed",
        "The Authorization header holds no well-formed API key. Send it as `Authorization: Bearer svc_sk_...`, exactly as it was shown.",
      );
    const found = await keys.use(hash, clock.now());
    if (found === undefined)
      return refuse(address, "keyUnknown", "This API key is unknown or was revoked. Create a new one and use that.");
    if (found.account.suspendedAt !== undefined) return refuse(address, "accountSuspended", suspended.message);
    return { kind: "key", ...found };
  };
}
