import { joinedAccountColumns, lockToChange, toAccount } from "../accounts/accounts.ts";
import { keysPerAccount } from "@reelscript/contract";
import type { Keys, NewId } from "../../../ports.ts";
import { isBoolean, isMoment, isNumber, isObjectOf, isText, orNull } from "../engine/columns.ts";
import { columnsOf, statement, transaction, type Database, type RowOf } from "../engine/statement.ts";

const keyNames =
  "id, account_id, slot, name, last_four, created_at, last_used_at, revoked_at, expires_at, read_only, address";
const keyColumns = {
  id: isText,
  accountId: isText,
  slot: isNumber,
  name: isText,
  lastFour: isText,
  createdAt: isMoment,
  lastUsedAt: orNull(isMoment),
  revokedAt: orNull(isMoment),
  expiresAt: orNull(isMoment),
  readOnly: isBoolean,
  address: orNull(isText),
};

const findFreeSlot = statement(`
  select min(slot)::smallint as slot from generate_series(1, :mostSlots::integer) as slot
  where slot not in (select slot from api_key where account_id = :accountId and revoked_at is null)`).reading({
  slot: orNull(isNumber),
});

/** Revokes the key that expired first, to free its slot. The trigger `key_webhooks` disables the endpoints that were added with it. */
const revokeExpiredKey = statement(`
  update api_key set revoked_at = :now where id = (
    select id from api_key where account_id = :accountId and revoked_at is null and expires_at <= :now::timestamptz
    order by expires_at, number limit 1
  )
  returning slot`).reading({ slot: isNumber });

const reconnectProgram = statement(`
  update api_key set expires_at = greatest(expires_at, :expiresAt)
  where account_id = :accountId and address = :address and name = :name and read_only = :readOnly and revoked_at is null
  returning ${keyNames}`).reading(keyColumns);

const forgetRevokedKeys = statement(`
  delete from api_key where account_id = :accountId and revoked_at is not null and id not in (
    select id from api_key where account_id = :accountId and revoked_at is not null
    order by revoked_at desc, number desc limit :kept::integer
  )`);

const createKey = statement(`
  insert into api_key (id, account_id, slot, name, hash, last_four, created_at, expires_at, read_only, address)
  values (:id, :accountId, :slot, :name, :hash, :lastFour, :now, :expiresAt, :readOnly, :address)
  returning ${keyNames}`).reading(keyColumns);

const listKeys = statement(
  `select ${keyNames} from api_key where account_id = :accountId order by created_at, number`,
).reading(keyColumns);

const renameKey = statement(`
  update api_key set name = :name where account_id = :accountId and id = :id and revoked_at is null
  returning ${keyNames}`).reading(keyColumns);

/** The trigger `key_webhooks` disables the endpoints that were added with the key, here and in `revokeOwnKey`. */
const revokeKey = statement("update api_key set revoked_at = :now where id = :id and revoked_at is null");

const revokeOwnKey = statement(
  "update api_key set revoked_at = :now where account_id = :accountId and id = :id and revoked_at is null",
);

const usedNames =
  "k.id, k.account_id, k.slot, k.name, k.last_four, k.created_at, k.last_used_at, k.revoked_at, k.expires_at, k.read_only, k.address, a.email, a.name as account_name, a.plan, a.created_at as account_created_at, a.period_anchor, a.paid_from, a.paid_until, a.suspended_at";
const usedColumns = {
  ...keyColumns,
  accountName: orNull(isText),
  accountCreatedAt: isMoment,
  ...joinedAccountColumns,
};

const findLiveKey = statement(`
  select ${usedNames} from api_key k join account a on a.id = k.account_id
  where k.hash = :hash and k.revoked_at is null`).reading(usedColumns);

/** A token created while its grant was revoked belongs to nobody. */
const findKeyOfToken = statement(`
  select ${usedNames}, token.payload from oauth_artifact token
  join oauth_artifact given on given.kind = 'Grant' and given.hash = token.grant_hash
  join api_key k on k.id = token.key_id join account a on a.id = k.account_id
  where token.kind = 'AccessToken' and token.hash = :hash and token.expires_at > :now::timestamptz
    and k.revoked_at is null`).reading({
  ...usedColumns,
  payload: isObjectOf({ aud: isText, scope: isText }),
});

const markKeyUsed = statement(`
  update api_key set last_used_at = :now
  where id = :id and (last_used_at is null or last_used_at <= :now::timestamptz - interval '1 minute')`);

const liveKeys = statement(`
  select id from api_key
  where id = any(:ids::text[]) and revoked_at is null
    and (expires_at is null or expires_at > :now::timestamptz)`).reading({ id: isText });

const oneMinute = 60_000;
/** Revoked keys kept per account, which the operator can see for a while. */
const keptRevokedKeys = 20;

async function markUsed(database: Database, row: RowOf<typeof usedColumns>, now: Date) {
  const expired = row.expiresAt !== null && row.expiresAt <= now;
  const stale = !expired && (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() >= oneMinute);
  if (stale) await markKeyUsed.run(database, { id: row.id, now });
  return {
    key: { ...columnsOf(row, keyColumns), ...(stale && { lastUsedAt: now }) },
    account: toAccount({ ...row, id: row.accountId, name: row.accountName, createdAt: row.accountCreatedAt }),
  };
}

export const createKeys = (database: Database, newId: NewId): Keys => ({
  create: ({ accountId, name, hash, lastFour, expiresAt = null, readOnly = false, address = null, now }) =>
    transaction(database, async (inside) => {
      if ((await lockToChange.run(inside, { accountId })) === 0) return "noAccount";
      const same = address && (await reconnectProgram.row(inside, { accountId, address, name, readOnly, expiresAt }));
      if (same) return same;
      const free = await findFreeSlot.onlyRow(inside, { accountId, mostSlots: keysPerAccount });
      const slot = free.slot ?? (await revokeExpiredKey.row(inside, { accountId, now }))?.slot;
      if (slot === undefined) return "full";
      await forgetRevokedKeys.run(inside, { accountId, kept: keptRevokedKeys });
      const id = newId("key");
      const values = { id, accountId, slot, name, hash, lastFour, now, expiresAt, readOnly, address };
      return createKey.onlyRow(inside, values);
    }),

  async use(hash, now) {
    const row = await findLiveKey.row(database, { hash });
    return row && markUsed(database, row, now);
  },

  async useToken(hash, now) {
    const row = await findKeyOfToken.row(database, { hash, now });
    if (!row) return undefined;
    const { aud: audience, scope } = row.payload;
    return { ...(await markUsed(database, row, now)), audience, scopes: scope.split(" ") };
  },

  live: async (keyIds, now) => (await liveKeys.rows(database, { ids: keyIds, now })).map(({ id }) => id),

  list: (accountId) => listKeys.rows(database, { accountId }),

  rename: (accountId, keyId, name) => renameKey.row(database, { accountId, id: keyId, name }),

  revoke: async (keyId, now) => (await revokeKey.run(database, { id: keyId, now })) === 1,

  revokeOwn: async (accountId, keyId, now) => (await revokeOwnKey.run(database, { accountId, id: keyId, now })) === 1,
});
