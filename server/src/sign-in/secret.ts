import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

const secretBytes = 32;
const shape = /^[\w-]{43}$/;

/** 256 random bits for a cookie or a URL. Only the hash is stored. */
export const createSecret = (): string => randomBytes(secretBytes).toString("base64url");

/** SHA-256. */
export const hashOf = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

/** Returns a stranger's text if it has the form of our secrets. */
export const secretIn = (text: unknown): string | undefined =>
  typeof text === "string" && shape.test(text) ? text : undefined;

export const after = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1_000);

const idPrefix = "ses_";
const idLength = 16;

/**
 * Value of a session's cookie: 16 characters that identify the session, and 27 of a secret (160 bits). Only its hash is stored.
 */
export const sessionValue = (sessionId: string, secret: string): string =>
  sessionId.slice(idPrefix.length) + secret.slice(idLength);

/** The hash by which a value is looked up. */
export const sessionNamed = (value: string): { readonly id: string; readonly hash: Uint8Array } => ({
  id: idPrefix + value.slice(0, idLength),
  hash: hashOf(value),
});

const cipher = "aes-256-gcm";
const version = "v1";
/** Tokens are a few hundred bytes; far longer ones aren't worth storing. */
const longest = 8_192;

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync("sha256", secret, "", "reelscript id token", 32));

/**
 * Encrypts a text for one session, with a secret that isn't in the database, so that a reader of the database learns nothing.
 * `null` for a text that is too long to store.
 */
export function seal(text: string, secret: string, sessionId: string): string | null {
  if (text.length > longest) return null;
  const nonce = randomBytes(12);
  const encrypt = createCipheriv(cipher, keyOf(secret), nonce).setAAD(Buffer.from(sessionId));
  const sealed = Buffer.concat([nonce, encrypt.update(text, "utf8"), encrypt.final(), encrypt.getAuthTag()]);
  return `${version}.${sealed.toString("base64url")}`;
}

/** Returns the sealed text; `undefined` if it was sealed with another secret, for another session, or not at all. */
export function unseal(sealed: string, secret: string, sessionId: string): string | undefined {
  const [sealVersion, body = ""] = sealed.split(".", 2);
  if (sealVersion !== version) return undefined;
  const bytes = Buffer.from(body, "base64url");
  try {
    const decrypt = createDecipheriv(cipher, keyOf(secret), bytes.subarray(0, 12))
      .setAAD(Buffer.from(sessionId))
      .setAuthTag(bytes.subarray(-16));
    return decrypt.update(bytes.subarray(12, -16)).toString("utf8") + decrypt.final("utf8");
  } catch {
    return undefined;
  }
}
