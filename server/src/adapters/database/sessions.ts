import type { Pool } from "pg";
import type { NewId, Sessions, StoredSession } from "../../ports.ts";
import { toAccount } from "./accounts.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

interface SessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly browser: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date;
  readonly expires_at: Date;
}

const createSession: Statement = {
  name: "create-session",
  text: `
    insert into session (id, account_id, hash, browser, id_token, created_at, last_used_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $6, $7)
    returning id, account_id, browser, created_at, last_used_at, expires_at`,
};

const useSession: Statement = {
  name: "use-session",
  text: `
    select s.id, s.account_id, s.browser, s.created_at, s.last_used_at, s.expires_at,
      a.email, a.plan, a.created_at as account_created_at, a.period_anchor
    from session s join account a on a.id = s.account_id
    where s.hash = $1 and s.expires_at > $2`,
};

const markSessionUsed: Statement = {
  name: "mark-session-used",
  text: "update session set last_used_at = $2 where id = $1 and last_used_at < $2",
};

const oneMinute = 60_000;

const toSession = (row: SessionRow): StoredSession => ({
  id: row.id,
  accountId: row.account_id,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  browser: row.browser,
});

export const createSessions = (pool: Pool, newId: NewId): Sessions => ({
  async create({ accountId, hash, browser, idToken, expiresAt, now }) {
    const [row] = await rowsOf<SessionRow>(pool, createSession, [
      newId("ses"),
      storable(accountId),
      hash,
      browser === null ? null : storable(browser),
      idToken,
      now,
      expiresAt,
    ]);
    return toSession(row!);
  },

  async use(hash, now) {
    const [row] = await rowsOf<
      SessionRow & { email: string; plan: string; account_created_at: Date; period_anchor: Date | null }
    >(pool, useSession, [hash, now]);
    if (!row) return undefined;
    const stale = now.getTime() - row.last_used_at.getTime() >= oneMinute;
    if (stale) await rowsOf(pool, markSessionUsed, [row.id, now]);
    return {
      session: toSession(stale ? { ...row, last_used_at: now } : row),
      account: toAccount({
        id: row.account_id,
        email: row.email,
        plan: row.plan,
        created_at: row.account_created_at,
        period_anchor: row.period_anchor,
      }),
    };
  },
});
