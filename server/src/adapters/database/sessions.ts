import type { Pool } from "pg";
import type { NewId, Sessions, StoredSession } from "../../ports.ts";
import { toAccount } from "./accounts.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

interface SessionRow {
  readonly session_id: string;
  readonly account_id: string;
  readonly browser: string | null;
  readonly session_created_at: Date;
  readonly last_used_at: Date;
  readonly expires_at: Date;
}

type UsedRow = SessionRow & Parameters<typeof toAccount>[0] & Use;

interface Use {
  readonly place: "hash" | "next" | "previous";
  /** The value is a day old and no other was offered lately. */
  readonly due: boolean;
  /** The value before was replaced less than a minute ago. */
  readonly honoured: boolean;
}

const sessionColumns =
  "s.id as session_id, s.account_id, s.browser, s.created_at as session_created_at, s.last_used_at, s.expires_at";
const live = (now: string): string =>
  `s.expires_at > ${now} and s.last_used_at > ${now}::timestamptz - interval '7 days'`;
/**
 * Not sooner, because an answer that brings a value may take its time, and a browser keeps the one that arrives last.
 * Longer than any answer waits.
 */
const offerAgain = "interval '10 minutes'";

const createSession: Statement = {
  name: "create-session",
  text: `
    insert into session as s (id, account_id, hash, browser, id_token, created_at, last_used_at, renewed_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $6, $6, $7)
    returning ${sessionColumns}`,
};

const useSession: Statement = {
  name: "use-session",
  text: `
    select a.*, ${sessionColumns},
      case $1::bytea when s.hash then 'hash' when s.next_hash then 'next' else 'previous' end as place,
      s.renewed_at <= $2::timestamptz - interval '1 day'
        and coalesce(s.offered_at <= $2::timestamptz - ${offerAgain}, true) as due,
      s.renewed_at > $2::timestamptz - interval '1 minute' as honoured
    from session s join account a on a.id = s.account_id
    where (s.hash = $1 or s.next_hash = $1 or s.previous_hash = $1) and ${live("$2")}`,
};

const markSessionUsed: Statement = {
  name: "mark-session-used",
  text: "update session set last_used_at = $2 where id = $1 and last_used_at < $2",
};

const offerNext: Statement = {
  name: "offer-next-session-value",
  text: `
    update session set next_hash = $3, offered_at = $4
    where id = $1 and hash = $2 and coalesce(offered_at <= $4::timestamptz - ${offerAgain}, true)
    returning id`,
};

const takeNext: Statement = {
  name: "take-next-session-value",
  text: `
    update session set previous_hash = hash, hash = next_hash, next_hash = null, offered_at = null, renewed_at = $3
    where id = $1 and next_hash = $2`,
};

const endReplayed: Statement = {
  name: "end-replayed-session",
  text: "delete from session where id = $1 and previous_hash = $2",
};

const listSessions: Statement = {
  name: "list-sessions",
  text: `
    select ${sessionColumns} from session s where s.account_id = $1 and ${live("$2")}
    order by s.last_used_at desc, s.number desc`,
};

const revokeSession: Statement = {
  name: "revoke-session",
  text: `delete from session s where s.account_id = $1 and s.id = $2 and ${live("$3")} returning s.id`,
};

const revokeOthers: Statement = {
  name: "revoke-other-sessions",
  text: `delete from session s where s.account_id = $1 and s.id <> $2 returning ${live("$3")} as live`,
};

const endSession: Statement = {
  name: "end-session",
  text: `delete from session where hash = $1 or next_hash = $1 or previous_hash = $1 returning id_token as "idToken"`,
};

const forgetSessions: Statement = {
  name: "forget-sessions",
  text: `delete from session s where not (${live("$1")})`,
};

const oneMinute = 60_000;

const toSession = (row: SessionRow): StoredSession => ({
  id: row.session_id,
  accountId: row.account_id,
  createdAt: row.session_created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  browser: row.browser,
});

export interface KeptSessions extends Sessions {
  /** Removes those that are no longer live. */
  readonly forget: (now: Date) => Promise<void>;
}

export const createSessions = (pool: Pool, newId: NewId): KeptSessions => ({
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

  async use({ hash, nextHash, now }) {
    const [row] = await rowsOf<UsedRow>(pool, useSession, [hash, now]);
    if (!row) return undefined;
    if (row.place === "previous" && !row.honoured) {
      await rowsOf(pool, endReplayed, [row.session_id, hash]);
      return undefined;
    }
    if (row.place === "next") await rowsOf(pool, takeNext, [row.session_id, hash, now]);
    const offered =
      row.place === "hash" && row.due ? await rowsOf(pool, offerNext, [row.session_id, hash, nextHash, now]) : [];
    const stale = now.getTime() - row.last_used_at.getTime() >= oneMinute;
    if (stale) await rowsOf(pool, markSessionUsed, [row.session_id, now]);
    return {
      session: toSession(stale ? { ...row, last_used_at: now } : row),
      account: toAccount(row),
      renewed: offered.length === 1,
    };
  },

  async list(accountId, now) {
    return (await rowsOf<SessionRow>(pool, listSessions, [storable(accountId), now])).map(toSession);
  },

  async revoke(accountId, sessionId, now) {
    return (await rowsOf(pool, revokeSession, [storable(accountId), storable(sessionId), now])).length === 1;
  },

  async revokeOthers(accountId, sessionId, now) {
    const ended = await rowsOf<{ live: boolean }>(pool, revokeOthers, [storable(accountId), storable(sessionId), now]);
    return ended.filter((row) => row.live).length;
  },

  async end(hash) {
    const [row] = await rowsOf<{ idToken: string | null }>(pool, endSession, [hash]);
    return row;
  },

  async forget(now) {
    await rowsOf(pool, forgetSessions, [now]);
  },
});
