import { createHash, randomBytes } from "node:crypto";

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
