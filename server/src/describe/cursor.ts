import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import * as z from "zod";
import type { ListPosition } from "../ports.ts";

/** Identifies a list: its owner, its order and its filters. */
export type ListScope = readonly (string | undefined)[];

const Count = z.int().min(0);

/** The list's checksum and a position in it. Values are between the year 0 and the last possible date. */
const Position = z.tuple([
  z.string(),
  z.number().min(-62_167_219_200_000).max(8.64e15).nullable(),
  z.int(),
  Count.optional(),
  Count.optional(),
  z.literal(true).optional(),
]);

/** A position in a list as an opaque text for callers; it is invalid in other lists. */
export function writeCursor(scope: ListScope, { sortedBy, number, counted, exact }: ListPosition): string {
  const countedPart = counted ? [counted.total, counted.changes, ...(exact ? [exact] : [])] : [];
  const position = [checksum(scope), sortedBy, number, ...countedPart];
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Throws `invalidRequest` if the cursor belongs to another list. */
export function readCursor(scope: ListScope, cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const { data } = Position.safeParse(jsonIn(cursor));
  // The checksum doesn't prevent forgery; a forged cursor leads only into the caller's own list.
  if (data?.[0] === checksum(scope)) {
    const [, sortedBy, number, total, changes, exact] = data;
    return {
      sortedBy,
      number,
      ...(exact && { exact }),
      ...(total !== undefined && changes !== undefined && { counted: { total, changes } }),
    };
  }
  throw new ServiceError(
    "invalidRequest",
    "`cursor`: must be the `nextCursor` of the same search (same filters, order and account). Omit it to start over.",
  );
}

const checksum = (scope: ListScope): string =>
  createHash("sha256").update(JSON.stringify(scope)).digest("base64url").slice(0, 16);

function jsonIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}
