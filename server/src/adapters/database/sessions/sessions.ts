import type { NewId, Sessions, StoredSession } from "../../../ports.ts";
import { accountColumns, toAccount } from "../accounts/accounts.ts";
import { isBoolean, isMoment, isOneOf, isText, orNull } from "../engine/columns.ts";
import { columnsOf, statement, type Database, type RowOf } from "../engine/statement.ts";

const sessionRow = {
  sessionId: isText,
  accountId: isText,
  kind: isOneOf("browser", "extension"),
  browser: orNull(isText),
  sessionCreatedAt: isMoment,
  lastUsedAt: isMoment,
  expiresAt: isMoment,
};

const sessionColumns =
  "s.id as session_id, s.account_id, s.kind, s.browser, s.created_at as session_created_at, s.last_used_at, s.expires_at";
const live =
  "s.expires_at > :now and s.last_used_at > :now::timestamptz - case s.kind when 'extension' then interval '90 days' else interval '7 days' end";
/**
 * Responses that carry a new value may be slow, and a browser keeps the one that arrives last, so values are offered no more
 * often than this. It is longer than any response takes.
 */
const offerAgain = "interval '10 minutes'";

/** More browsers than anybody has; all sessions are listed together. */
const mostOfAccount = 100;

/** The least recently used one is removed. */
const createSession = statement(`
  with replaced as (
    delete from session where id in (
      select id from session where account_id = :accountId::text
      order by last_used_at desc, number desc offset ${mostOfAccount - 1}
    )
  )
  insert into session as s (id, account_id, kind, hash, browser, id_token, created_at, last_used_at, renewed_at, expires_at)
  values (:id, :accountId, :kind, :hash, :browser, :idToken, :now, :now, :now, :expiresAt)
  returning ${sessionColumns}`).reading(sessionRow);

const useSession = statement(`
  select a.*, ${sessionColumns},
    case :hash::bytea when s.hash then 'hash' when s.next_hash then 'next' when s.previous_hash then 'previous' else 'none' end
      as match,
    s.renewed_at <= :now::timestamptz - interval '1 day'
      and coalesce(s.offered_at <= :now::timestamptz - ${offerAgain}, true) as due,
    s.renewed_at > :now::timestamptz - interval '1 minute' as honored
  from session s join account a on a.id = s.account_id
  where (s.id = :id or s.hash = :hash or s.next_hash = :hash or s.previous_hash = :hash) and s.kind = 'browser' and ${live}
  -- A value of its own outranks the chance that it looks as if it named another.
  order by (s.hash = :hash or s.next_hash is not distinct from :hash or s.previous_hash is not distinct from :hash) desc
  limit 1`).reading({
  ...accountColumns,
  ...sessionRow /** `none`: the value names the session but isn't its current one. */,
  match: isOneOf("hash", "next", "previous", "none"),
  /** The value is a day old and no other was offered recently. */
  due: isBoolean,
  /** The previous value was replaced less than a minute ago. */
  honored: isBoolean,
});

const useToken = statement(`
  select a.*, ${sessionColumns} from session s join account a on a.id = s.account_id
  where s.hash = :hash and s.kind = 'extension' and ${live}`).reading({ ...accountColumns, ...sessionRow });

const markSessionUsed = statement("update session set last_used_at = :now where id = :id and last_used_at < :now");

const offerNext = statement(`
  update session set next_hash = :next, offered_at = :now
  where id = :id and hash = :hash and coalesce(offered_at <= :now::timestamptz - ${offerAgain}, true)`);

const takeNext = statement(`
  update session set previous_hash = hash, hash = next_hash, next_hash = null, offered_at = null, renewed_at = :now
  where id = :id and next_hash = :next`);

/** Doesn't apply if the value became the session's after it was read. */
const endReplayed = statement(
  "delete from session where id = :id and hash <> :hash and next_hash is distinct from :hash",
);

const listSessions = statement(`
  select ${sessionColumns} from session s where s.account_id = :accountId and ${live}
  order by s.last_used_at desc, s.number desc`).reading(sessionRow);

const revokeSession = statement(`delete from session s where s.account_id = :accountId and s.id = :id and ${live}`);

const revokeOthers = statement(
  `delete from session s where s.account_id = :accountId and s.id <> :id returning ${live} as live`,
).reading({ live: isBoolean });

const endSession = statement(`
  delete from session as s
  where s.kind = 'browser' and (s.id = :id or s.hash = :hash or s.next_hash = :hash or s.previous_hash = :hash)
  returning
    case when s.hash = :hash or s.next_hash = :hash or s.previous_hash = :hash then s.id_token end as id_token`).reading(
  { idToken: orNull(isText) },
);

export const forgetSessions = statement(`delete from session s where not (${live})`);

const liveSessions = statement(`select s.id from session s where s.id = any(:ids::text[]) and ${live}`).reading({
  id: isText,
});

const oneMinute = 60_000;

function toSession(row: RowOf<typeof sessionRow>): StoredSession {
  const { sessionId: id, sessionCreatedAt: createdAt, ...session } = columnsOf(row, sessionRow);
  return { ...session, id, createdAt };
}

async function used(database: Database, row: RowOf<typeof sessionRow>, now: Date): Promise<StoredSession> {
  const stale = now.getTime() - row.lastUsedAt.getTime() >= oneMinute;
  if (!stale) return toSession(row);
  await markSessionUsed.run(database, { id: row.sessionId, now });
  return toSession({ ...row, lastUsedAt: now });
}

export const createSessions = (database: Database, newId: NewId): Sessions => ({
  create: async ({ id = newId("ses"), kind = "browser", accountId, hash, browser, idToken, now, expiresAt }) =>
    toSession(await createSession.onlyRow(database, { id, kind, accountId, hash, browser, idToken, now, expiresAt })),

  async use({ id: sessionId = null, hash, nextHash, now }) {
    const row = await useSession.row(database, { hash, now, id: sessionId });
    if (!row) return undefined;
    const id = row.sessionId;
    if (row.match === "none" || (row.match === "previous" && !row.honored)) {
      await endReplayed.run(database, { id, hash });
      return undefined;
    }
    if (row.match === "next") await takeNext.run(database, { id, next: hash, now });
    const next = typeof nextHash === "function" ? nextHash(id) : nextHash;
    const offered = row.match === "hash" && row.due ? await offerNext.run(database, { id, hash, next, now }) : 0;
    return { session: await used(database, row, now), account: toAccount(row), renewed: offered === 1 };
  },

  async useToken(hash, now) {
    const row = await useToken.row(database, { hash, now });
    return row && { session: await used(database, row, now), account: toAccount(row) };
  },

  live: async (sessionIds, now) => (await liveSessions.rows(database, { ids: sessionIds, now })).map(({ id }) => id),

  list: async (accountId, now) => (await listSessions.rows(database, { accountId, now })).map(toSession),

  revoke: async (accountId, sessionId, now) =>
    (await revokeSession.run(database, { accountId, id: sessionId, now })) === 1,

  async revokeOthers(accountId, sessionId, now) {
    const ended = await revokeOthers.rows(database, { accountId, id: sessionId, now });
    return ended.filter((row) => row.live).length;
  },

  end: (hash, id) => endSession.row(database, { hash, id: id ?? null }),
});
