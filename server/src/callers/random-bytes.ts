import { randomBytes } from "node:crypto";

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
