import type { Key } from "@reelscript/contract";

const day = 86_400_000;
/** Warns this long before a key expires; a short-lived key warns in the last quarter of its life. */
const soonDays = 7;
const lastPart = 0.25;

type KeyEnd = "never" | "later" | "soon" | "expired";

export interface Lifespan {
  readonly createdAt: string;
  /** `null` if it never expires. */
  readonly expiresAt: string | null;
}

export function keyEnd({ createdAt, expiresAt }: Lifespan): KeyEnd {
  if (expiresAt === null) return "never";
  const end = Date.parse(expiresAt);
  const left = end - Date.now();
  if (left <= 0) return "expired";
  return left <= Math.min(soonDays * day, (end - Date.parse(createdAt)) * lastPart) ? "soon" : "later";
}

/** The keys at a stage of their lifetime, those that expire first at the top. */
export const keysAt = <One extends Lifespan>(end: KeyEnd, keys: readonly One[]): One[] =>
  keys
    .filter((key) => keyEnd(key) === end)
    .toSorted((one, other) => (one.expiresAt ?? "").localeCompare(other.expiresAt ?? ""));

/** True if a key can use the rest of its quota. */
export const canTranscribe = ({ readOnly, ...key }: Key): boolean => !readOnly && keyEnd(key) !== "expired";
