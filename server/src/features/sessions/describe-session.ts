import type { Session } from "@reelscript/contract";
import type { StoredSession } from "../../ports.ts";
import { browserName } from "./browser-name.ts";

export const describeSession = (session: StoredSession, currentId: string): Session => ({
  id: session.id,
  kind: session.kind,
  createdAt: session.createdAt.toISOString(),
  lastUsedAt: session.lastUsedAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
  browser: browserName(session.browser),
  current: session.id === currentId,
});
