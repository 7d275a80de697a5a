import type { Key } from "@reelscript/contract";
import type { ApiKey } from "../ports.ts";

/** A key as its owner sees it. */
export const describeKey = ({ id, name, lastFour, createdAt, lastUsedAt, expiresAt, readOnly }: ApiKey): Key => ({
  id,
  name,
  lastFour,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  readOnly,
});
