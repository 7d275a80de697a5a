import type { Key } from "@reelscript/contract";

const day = 86_400_000;
/** How long before its end a key is warned of; of one that was made for a short time, at its last quarter. */
const soonDays = 7;
const lastPart = 0.25;

type KeyEnd = "never" | "later" | "soon" | "expired";

/** The life of a key. */
export interface Lifespan {
  readonly createdAt: string;
  /** `null` if it never ends. */
  readonly expiresAt: string | null;
}

export function keyEnd({ createdAt, expiresAt }: Lifespan): KeyEnd {
  if (expiresAt === null) return "never";
  const end = Date.parse(expiresAt);
  const left = end - Date.now();
  if (left <= 0) return "expired";
  return left <= Math.min(soonDays * day, (end - Date.parse(createdAt)) * lastPart) ? "soon" : "later";
}

/** The keys that are at a point of their life; what ends first comes first. */
export const keysAt = <One extends Lifespan>(end: KeyEnd, keys: readonly One[]): One[] =>
  keys
    .filter((key) => keyEnd(key) === end)
    .toSorted((one, other) => (one.expiresAt ?? "").localeCompare(other.expiresAt ?? ""));

/** True if a key can use the rest of its quota. */
export const canTranscribe = ({ readOnly, ...key }: Key): boolean => !readOnly && keyEnd(key) !== "expired";
