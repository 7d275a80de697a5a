import { createHash } from "node:crypto";

/** SHA-256 of a key, token or code. Only the hash is stored, and the secret is looked up by it. */
export const hashOfSecret = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

/** True for a text that can be in the address of a shared page; others cost no lookup. */
export const isShareToken = (text: string): boolean => /^[0-9A-Za-z]{43}$/.test(text);
