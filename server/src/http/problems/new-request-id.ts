import { randomBytes } from "node:crypto";

const idBytes = 12;
const idsAtATime = 256;
let random = Buffer.alloc(0);
let used = 0;

/** Random bytes are taken from the system for many at once: each time costs more than the rest of a small answer. */
export function newRequestId(): string {
  if (used === random.length) {
    random = randomBytes(idBytes * idsAtATime);
    used = 0;
  }
  used += idBytes;
  return `req_${random.toString("hex", used - idBytes, used)}`;
}
