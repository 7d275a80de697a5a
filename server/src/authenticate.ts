import { ServiceError } from "@reelscript/contract";
import { parseApiKey } from "./api-key.ts";
import { networkOf } from "./network-of.ts";
import type { Clock, Keys } from "./ports.ts";
import type { Caller } from "./caller.ts";

/** Says who calls, from the `Authorization` header. Throws `unauthorized` when a key is present but wrong. */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>;

export function createAuthenticate({ keys, clock }: { readonly keys: Keys; readonly clock: Clock }): Authenticate {
  return async (authorization, address) => {
    if (authorization === undefined) return { kind: "anonymous", address: networkOf(address) };
    const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
    const hash = credential === undefined ? undefined : parseApiKey(credential);
    if (hash === undefined)
      throw new ServiceError(
        "unauthorized",
        "The Authorization header holds no well-formed API key. Send it as `Authorization: Bearer svc_sk_...`, exactly as it was shown.",
      );
    const found = await keys.use(hash, clock.now());
    if (found === undefined)
      throw new ServiceError("unauthorized", "This API key is unknown or was revoked. Create a new one and use that.");
    return { kind: "key", ...found };
  };
}
