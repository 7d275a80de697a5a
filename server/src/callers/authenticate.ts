import { ServiceError } from "@reelscript/contract";
import { parseApiKey } from "./api-key.ts";
import { networkOf } from "./network-of.ts";
import type { Clock, Keys } from "../ports.ts";
import type { Caller } from "../caller.ts";
import { isExpired, keyExpired } from "../rules/key-expiry.ts";
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
  async function refuse(address: string, error: ServiceError): Promise<never> {
    await countRefused(networkOf(address));
    throw error;
  }
  return async (authorization, address) => {
    if (authorization === undefined) return { kind: "anonymous", address: networkOf(address) };
    const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
    const hash = credential === undefined ? undefined : parseApiKey(credential);
    if (hash === undefined) return refuse(address, malformed());
    const now = clock.now();
    const found = await keys.use(hash, now);
    if (found === undefined) return refuse(address, unknown());
    if (found.account.suspendedAt !== undefined)
      return refuse(address, new ServiceError("unauthorized", suspended.message, { reason: "accountSuspended" }));
    if (isExpired(found.key, now)) return refuse(address, keyExpired(found.key));
    return { kind: "key", ...found };
  };
}

const malformed = (): ServiceError =>
  new ServiceError(
    "unauthorized",
    "The Authorization header holds no well-formed API key. Send it as `Authorization: Bearer svc_sk_...`, exactly as it was shown.",
    { reason: "keyMalformed" },
  );

const unknown = (): ServiceError =>
  new ServiceError("unauthorized", "This API key is unknown or was revoked. Create a new one and use that.", {
    reason: "keyUnknown",
  });
