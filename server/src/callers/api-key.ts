import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { ServiceError } from "@reelscript/contract";
import type { ApiKey, NewId } from "../ports.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const keyBytes = 32;
/** Digits that hold any 32 bytes, and any 32 bits. */
const bodyLength = 43;
const checksumLength = 6;
const idLength = 16;

const keyPrefix = "svc_sk_";
const extensionPrefix = "svc_ext_";
const shape = new RegExp(`^([0-9A-Za-z]{${bodyLength}})([0-9A-Za-z]{${checksumLength}})$`);

export interface NewApiKey {
  /** `svc_sk_`, 256 random bits in 43 base62 digits, and their CRC-32 in 6. Shown once and never stored. */
  readonly key: string;
  /** SHA-256 of the whole key, 32 bytes. */
  readonly hash: Uint8Array;
  readonly lastFour: string;
}

export function createApiKey(): NewApiKey {
  const key = drawCredential(keyPrefix);
  return { key, hash: sha256(key), lastFour: key.slice(-4) };
}

/** `svc_ext_` and the same digits as in a key, so that neither is ever mistaken for the other. Shown once and never stored. */
export function createExtensionToken(): { readonly token: string; readonly hash: Uint8Array } {
  const token = drawCredential(extensionPrefix);
  return { token, hash: sha256(token) };
}

/** 256 random bits in 43 base62 digits, for the address of a shared page. */
export const createShareToken = (): string => base62(BigInt(`0x${randomBytes(keyBytes).toString("hex")}`), bodyLength);

/** Parses an extension's token as `parseApiKey` parses a key. */
export const parseExtensionToken = (text: string): Uint8Array | undefined => parseCredential(extensionPrefix, text);

/** The hash by which a key is looked up; `undefined` for a text that can't be a key, so that it costs no lookup. */
export const parseApiKey = (text: string): Uint8Array | undefined => parseCredential(keyPrefix, text);

function drawCredential(prefix: string): string {
  const body = base62(BigInt(`0x${randomBytes(keyBytes).toString("hex")}`), bodyLength);
  return `${prefix}${body}${checksum(body)}`;
}

function parseCredential(prefix: string, text: string): Uint8Array | undefined {
  const match = text.startsWith(prefix) ? shape.exec(text.slice(prefix.length)) : null;
  return match !== null && checksum(match[1]!) === match[2] ? sha256(text) : undefined;
}

/** Drops bytes past the last whole multiple of 62, because their remainders would favor the first digits. */
const fairBytes = 256 - (256 % digits.length);

/** Ids of 16 random base62 digits (95 bits), every digit as likely as any other. */
export function createNewId(): NewId {
  return (kind) => {
    let id = "";
    while (id.length < idLength)
      for (const byte of takeRandomBytes(idLength - id.length))
        if (byte < fairBytes) id += digits[byte % digits.length]!;
    return `${kind}_${id}`;
  };
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), checksumLength);

const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();

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

const bytesAtATime = 4_096;
let drawn = Buffer.alloc(0);
let used = 0;

/**
 * Random bytes for ids, at most 4,096, drawn from the system in bulk: each draw costs more than the rest of a small response.
 * Not for secrets, which should not be in memory before they are needed.
 */
export function takeRandomBytes(count: number): Buffer {
  if (used + count > drawn.length) {
    drawn = randomBytes(bytesAtATime);
    used = 0;
  }
  used += count;
  return drawn.subarray(used - count, used);
}
