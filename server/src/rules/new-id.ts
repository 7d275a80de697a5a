import { createHash, randomBytes } from "node:crypto";
import type { NewId } from "../ports.ts";

/** The digits of base62. */
export const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const idLength = 16;

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

const requestIdBytes = 12;

/** `req_` and 96 random bits in hexadecimal digits. */
export const newRequestId = (): string => `req_${takeRandomBytes(requestIdBytes).toString("hex")}`;

const bytesAtATime = 4_096;
let drawn = Buffer.alloc(0);
let used = 0;

/**
 * Random bytes for ids, at most 4,096, drawn from the system in bulk: each draw costs more than the rest of a small response.
 * Not for secrets, which should not be in memory before they are needed.
 */
function takeRandomBytes(count: number): Buffer {
  if (used + count > drawn.length) {
    drawn = randomBytes(bytesAtATime);
    used = 0;
  }
  used += count;
  return drawn.subarray(used - count, used);
}

/** SHA-256 of a key, token or code. Only the hash is stored, and the secret is looked up by it. */
export const hashOfSecret = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

/** True for a text that can be in the address of a shared page; others cost no lookup. */
export const isShareToken = (text: string): boolean => /^[0-9A-Za-z]{43}$/.test(text);
