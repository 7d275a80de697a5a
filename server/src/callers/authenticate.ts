import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { Caller } from "../rules/caller.ts";
import type { Keys, Clock, Sessions } from "../ports.ts";
import { isExpired, keyExpired, parseApiKey, parseExtensionToken } from "./api-key.ts";
import { suspended } from "../rules/refusals.ts";
import { networkOf } from "./network-of.ts";
import type { CountRefused } from "./count-calls.ts";

/** An access token of a program. */
const tokenShape = /^[\w-]{43}$/;

/**
 * Identifies the caller by the `Authorization` header. Throws `unauthorized` if a key is present but wrong, and `rateLimited`
 * after too many wrong ones.
 */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>;

interface KeyAuthentication {
  readonly keys: Keys;
  readonly clock: Clock;
  readonly countRefused: CountRefused;
  /** The audience that tokens of connected programs must have; without it none is accepted. */
  readonly audience?: () => string;
}

export function createAuthenticate({ keys, clock, countRefused, audience }: KeyAuthentication): Authenticate {
  async function refuse(address: string, error: ServiceError): Promise<never> {
    await countRefused(networkOf(address));
    throw error;
  }
  /** Treats a program's token as a key. The token may have fewer rights than the program. */
  async function useToken(token: string, audience: string, now: Date) {
    const grant = await keys.useToken(createHash("sha256").update(token).digest(), now);
    if (grant === undefined || grant.audience !== audience) return undefined;
    return { ...grant, key: { ...grant.key, readOnly: grant.key.readOnly || !grant.scopes.includes("full") } };
  }
  return async (authorization, address) => {
    if (authorization === undefined) return { kind: "anonymous", address: networkOf(address) };
    const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
    const hash = credential === undefined ? undefined : parseApiKey(credential);
    const token = audience !== undefined && credential !== undefined && tokenShape.test(credential);
    if (hash === undefined && !token) return refuse(address, malformed());
    const now = clock.now();
    const identity = token ? await useToken(credential, audience(), now) : await keys.use(hash!, now);
    if (identity === undefined) return refuse(address, unknown());
    if (identity.account.suspendedAt !== undefined)
      return refuse(address, new ServiceError("unauthorized", suspended.message, { reason: "accountSuspended" }));
    if (isExpired(identity.key, now)) return refuse(address, keyExpired(identity.key));
    return { kind: "key", key: identity.key, account: identity.account };
  };
}

const malformed = (): ServiceError =>
  new ServiceError(
    "unauthorized",
    "The Authorization header doesn't have a valid API key. Send it as `Authorization: Bearer svc_sk_...`, exactly as it was shown.",
    { reason: "keyMalformed" },
  );

const unknown = (): ServiceError =>
  new ServiceError(
    "unauthorized",
    "This API key is unknown or was revoked. Create a new one; if a program signed in for you, connect it again.",
    { reason: "keyUnknown" },
  );

interface ExtensionAuthentication {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly countRefused: CountRefused;
}

/** Authenticates the token of an extension at the people's door. */
export function createAuthenticateExtension({ sessions, clock, countRefused }: ExtensionAuthentication): Authenticate {
  return async (authorization, address): Promise<Caller> => {
    const network = networkOf(address);
    if (authorization === undefined) return { kind: "anonymous", address: network };
    const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
    const hash = credential === undefined ? undefined : parseExtensionToken(credential);
    const session = hash && (await sessions.useToken(hash, clock.now()));
    if (session && session.account.suspendedAt === undefined) return { kind: "extension", ...session };
    await countRefused(network);
    if (session) throw new ServiceError("unauthorized", suspended.message, { reason: "accountSuspended" });
    throw new ServiceError(
      "unauthorized",
      "This is not the token of a connected extension, or it was ended. API keys are for /api/v1 and /mcp only.",
      { reason: "notSignedIn" },
    );
  };
}
