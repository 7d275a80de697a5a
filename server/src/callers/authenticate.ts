import ipaddr from "ipaddr.js";
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { ServiceError } from "@reelscript/contract";
import type { FastifyRequest } from "fastify";
import type { ApiKey, Clock, Keys, Sessions } from "../ports.ts";
import type { Caller } from "../rules/caller.ts";
import { suspended } from "../rules/refusals.ts";
import { digits, hashOfSecret } from "../rules/new-id.ts";
import type { CountRefused } from "../rules/count-calls.ts";

/** The network of an address: the whole IPv4 address, or the /64 of IPv6, which one household has. Each network has one spelling. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  return plain.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}

/** An access token of a program. */
const tokenShape = /^[\w-]{43}$/;

/** The header `Authorization` and the address identify a caller. */
interface CallerRequest {
  readonly headers: { readonly authorization?: string | undefined };
  readonly ip: string;
}

/** Identifies the caller. Throws `unauthorized` if a key is present but wrong, and `rateLimited` after too many wrong ones. */
export type Authenticate = (request: CallerRequest) => Promise<Caller>;

interface KeyAuthentication {
  readonly keys: Keys;
  readonly clock: Clock;
  readonly countRefused: CountRefused;
  /** The audience that tokens of connected programs must have; without it none is accepted. */
  readonly audience?: () => string;
}

export function createAuthenticate({ keys, clock, countRefused, audience }: KeyAuthentication): Authenticate {
  async function refuse(ip: string, error: ServiceError): Promise<never> {
    await countRefused(networkOf(ip));
    throw error;
  }
  /** Treats a program's token as a key. The token may have fewer rights than the program. */
  async function useToken(token: string, audience: string, now: Date) {
    const grant = await keys.useToken(hashOfSecret(token), now);
    if (grant === undefined || grant.audience !== audience) return undefined;
    return { ...grant, key: { ...grant.key, readOnly: grant.key.readOnly || !grant.scopes.includes("full") } };
  }
  return async ({ headers: { authorization }, ip }) => {
    if (authorization === undefined) return { kind: "anonymous", address: networkOf(ip) };
    const credential = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
    const hash = credential === undefined ? undefined : parseApiKey(credential);
    const token = audience !== undefined && credential !== undefined && tokenShape.test(credential);
    if (hash === undefined && !token) return refuse(ip, malformed());
    const now = clock.now();
    const identity = token ? await useToken(credential, audience(), now) : await keys.use(hash!, now);
    if (identity === undefined) return refuse(ip, unknown());
    if (identity.account.suspendedAt !== undefined)
      return refuse(ip, new ServiceError("unauthorized", suspended.message, { reason: "accountSuspended" }));
    if (isExpired(identity.key, now)) return refuse(ip, keyExpired(identity.key));
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
  return async ({ headers: { authorization }, ip }): Promise<Caller> => {
    const network = networkOf(ip);
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

const keyBytes = 32;
/** Digits that hold any 32 bytes, and any 32 bits. */
const bodyLength = 43;
const checksumLength = 6;

const keyPrefix = "svc_sk_";
const extensionPrefix = "svc_ext_";
const shape = new RegExp(`^([0-9A-Za-z]{${bodyLength}})([0-9A-Za-z]{${checksumLength}})$`);

interface NewApiKey {
  /** `svc_sk_`, 256 random bits in 43 base62 digits, and their CRC-32 in 6. Shown once and never stored. */
  readonly key: string;
  /** SHA-256 of the whole key, 32 bytes. */
  readonly hash: Uint8Array;
  readonly lastFour: string;
}

export function createApiKey(): NewApiKey {
  const key = drawCredential(keyPrefix);
  return { key, hash: hashOfSecret(key), lastFour: key.slice(-4) };
}

/** `svc_ext_` and the same digits as in a key, so that neither is ever mistaken for the other. Shown once and never stored. */
export function createExtensionToken(): { readonly token: string; readonly hash: Uint8Array } {
  const token = drawCredential(extensionPrefix);
  return { token, hash: hashOfSecret(token) };
}

/** 256 random bits in 43 base62 digits, for the address of a shared page. */
export const createShareToken = (): string => base62(BigInt(`0x${randomBytes(keyBytes).toString("hex")}`), bodyLength);

/** Parses an extension's token as `parseApiKey` parses a key. */
const parseExtensionToken = (text: string): Uint8Array | undefined => parseCredential(extensionPrefix, text);

/** The hash by which a key is looked up; `undefined` for a text that can't be a key, so that it costs no lookup. */
export const parseApiKey = (text: string): Uint8Array | undefined => parseCredential(keyPrefix, text);

function drawCredential(prefix: string): string {
  const body = base62(BigInt(`0x${randomBytes(keyBytes).toString("hex")}`), bodyLength);
  return `${prefix}${body}${checksum(body)}`;
}

function parseCredential(prefix: string, text: string): Uint8Array | undefined {
  const match = text.startsWith(prefix) ? shape.exec(text.slice(prefix.length)) : null;
  return match !== null && checksum(match[1]!) === match[2] ? hashOfSecret(text) : undefined;
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), checksumLength);

function base62(value: bigint, length: number): string {
  const base = BigInt(digits.length);
  let text = "";
  for (let rest = value; text.length < length; rest /= base) text = digits[Number(rest % base)]! + text;
  return text;
}

export const isExpired = <Key extends Pick<ApiKey, "expiresAt">>(
  key: Key,
  now: Date,
): key is Key & { readonly expiresAt: Date } => key.expiresAt !== null && key.expiresAt <= now;

const minute = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

export const keyExpired = ({ expiresAt }: { readonly expiresAt: Date }): ServiceError =>
  new ServiceError(
    "unauthorized",
    `This API key expired on ${minute.format(expiresAt)} UTC. Create a new one in the dashboard under API keys, and use that.`,
    { reason: "keyExpired" },
  );

/**
 * Refuses requests with a person's cookie that come from another site. Browsers state where a request comes from; a change from
 * a client that doesn't must name our own origin. A form may change something only where `mayBeForm` is set: our own origin
 * doesn't prove that a person saw it.
 */
export function refuseCrossSite(
  request: FastifyRequest,
  baseUrl: string,
  { mayBeForm = false }: { readonly mayBeForm?: boolean } = {},
): void {
  const { origin, accept = "", "sec-fetch-site": site, "sec-fetch-mode": mode } = request.headers;
  const safe = request.method === "GET" || request.method === "HEAD";
  const foreign = origin !== undefined && origin !== new URL(baseUrl).origin;
  const elsewhere = site !== undefined && site !== "same-origin" && !(safe && site === "none");
  const unknown = !safe && origin === undefined && site === undefined;
  const unseen = !safe && !mayBeForm && (mode === "navigate" || accept.includes("text/html"));
  if (foreign || elsewhere || unknown || unseen)
    throw new ServiceError(
      "invalidRequest",
      "This request came from another site and was refused. Use the dashboard itself.",
      { reason: "crossSite" },
    );
}
