import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { ListPosition } from "../ports.ts";

/** What a list is of: whose it is, its order and its filters. */
export type ListScope = readonly (string | undefined)[];

/** A position in a list as callers get it: opaque, and of no use in another list. */
export function writeCursor(scope: ListScope, { sortedBy, number, counted }: ListPosition): string {
  const position = JSON.stringify([sortedBy, number, ...(counted ? [counted.total, counted.changes] : [])]);
  return `${checksum(scope, position)}${Buffer.from(position).toString("base64url")}`;
}

/** Throws `invalidRequest` when the cursor is not of this list. */
export function readCursor(scope: ListScope, cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const position = Buffer.from(cursor.slice(checksumLength), "base64url").toString();
  const [sortedBy, number, total, changes] = positionFieldsOf(position);
  // The checksum keeps nobody from making one up, which leads nowhere but into the caller's own list.
  const isOurs = cursor.startsWith(checksum(scope, position));
  if (isOurs && isValue(sortedBy) && typeof number === "number" && Number.isSafeInteger(number))
    return { sortedBy, number, ...(isCount(total) && isCount(changes) && { counted: { total, changes } }) };
  throw new ServiceError(
    "invalidRequest",
    "`cursor`: must be the `nextCursor` of the same search (same filters, order and account). Omit it to start over.",
  );
}

/** Between the year 0 and the last day that a date can be. */
const isValue = (value: unknown): value is number | null =>
  value === null || (typeof value === "number" && value >= -62_167_219_200_000 && value <= 8.64e15);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const checksumLength = 16;

const checksum = (scope: ListScope, position: string): string =>
  createHash("sha256")
    .update(JSON.stringify([scope, position]))
    .digest("base64url")
    .slice(0, checksumLength);

function positionFieldsOf(position: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(position);
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
