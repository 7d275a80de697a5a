import { createHash, randomBytes } from "node:crypto";

const secretBytes = 32;
const shape = /^[\w-]{43}$/;

/** 256 random bits, fit for a cookie and a URL. Only its hash is stored. */
export const createSecret = (): string => randomBytes(secretBytes).toString("base64url");

/** SHA-256. */
export const hashOf = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

/** What a stranger sent, when it can be one of our secrets at all. */
export const secretIn = (text: unknown): string | undefined =>
  typeof text === "string" && shape.test(text) ? text : undefined;
