import type { Key } from "@reelscript/contract";

const day = 86_400_000;
/** How long before its end a key is warned of; of one that was made for a short time, at its last quarter. */
const soonDays = 7;
const lastPart = 0.25;

export const lifetimes = ["never", "7", "30", "90", "365", "date"] as const;
export type Lifetime = (typeof lifetimes)[number];

/** When a key ends that is created now; undefined for one that never does. `date` is that of a date field, and counts whole. */
export function endOf(lifetime: Lifetime, date: string, now = new Date()): string | undefined {
  if (lifetime === "never") return undefined;
  const end = lifetime === "date" ? new Date(`${date}T23:59:59.999`) : new Date(now.getTime() + Number(lifetime) * day);
  return end.toISOString();
}

/** For a date field, `2026-12-01`: Swedish dates are written so. */
export const today = (now = new Date()): string => now.toLocaleDateString("sv");

export const isDayAhead = (date: string): boolean => date >= today();

type KeyEnd = "never" | "later" | "soon" | "expired";

export type Lifespan = Pick<Key, "createdAt" | "expiresAt">;

export function keyEnd({ createdAt, expiresAt }: Lifespan, now = new Date()): KeyEnd {
  if (expiresAt === null) return "never";
  const end = Date.parse(expiresAt);
  const left = end - now.getTime();
  if (left <= 0) return "expired";
  return left <= Math.min(soonDays * day, (end - Date.parse(createdAt)) * lastPart) ? "soon" : "later";
}

/** The keys that are at a point of their life; what ends first comes first. */
export const keysAt = <One extends Lifespan>(end: KeyEnd, keys: readonly One[]): One[] =>
  keys
    .filter((key) => keyEnd(key) === end)
    .toSorted((one, other) => (one.expiresAt ?? "").localeCompare(other.expiresAt ?? ""));

/** Whether what is left of its quota is of use to a key. */
export const canTranscribe = ({ readOnly, ...key }: Lifespan & Pick<Key, "readOnly">): boolean =>
  !readOnly && keyEnd(key) !== "expired";
