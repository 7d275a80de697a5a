import { keysPerAccount } from "@reelscript/contract";
import { sql, type Kysely, type Selectable } from "kysely";
import type { Pool } from "pg";
import type { ApiKey, Keys, NewId } from "../../ports.ts";
import { toAccount, type JoinedAccount } from "./accounts.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";
import type { Tables } from "./tables.ts";

type KeyRow = Omit<Selectable<Tables["api_key"]>, "number" | "hash">;

const keyColumns = [
  "id",
  "account_id",
  "slot",
  "name",
  "last_four",
  "created_at",
  "last_used_at",
  "revoked_at",
] as const satisfies (keyof KeyRow)[];

const findLiveKey: Statement = {
  name: "find-live-key",
  text: `
    select k.id, k.account_id, k.slot, k.name, k.last_four, k.created_at, k.last_used_at, k.revoked_at,
      a.email, a.name as account_name, a.plan, a.created_at as account_created_at, a.period_anchor, a.paid_from, a.paid_until
    from api_key k join account a on a.id = k.account_id
    where k.hash = $1 and k.revoked_at is null`,
};

const markKeyUsed: Statement = {
  name: "mark-key-used",
  text: `
    update api_key set last_used_at = $2
    where id = $1 and (last_used_at is null or last_used_at <= $2::timestamptz - interval '1 minute')`,
};

const oneMinute = 60_000;

const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  accountId: row.account_id,
  slot: row.slot,
  name: row.name,
  lastFour: row.last_four,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
});

export const createKeys = (pool: Pool, database: Kysely<Tables>, newId: NewId): Keys => ({
  async create({ accountId, name, hash, lastFour, now }) {
    return database.transaction().execute(async (inside) => {
      const account = await inside
        .selectFrom("account")
        .select("id")
        .where("id", "=", storable(accountId))
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!account) return "noAccount";
      const free = await sql<{ slot: number | null }>`
        select min(slot)::smallint as slot from generate_series(1, ${keysPerAccount}::integer) as slot
        where slot not in (select slot from api_key where account_id = ${account.id} and revoked_at is null)
      `.execute(inside);
      const slot = free.rows[0]?.slot ?? null;
      if (slot === null) return "full";
      const row = await inside
        .insertInto("api_key")
        .values({
          id: newId("key"),
          account_id: account.id,
          slot,
          name: storable(name),
          hash,
          last_four: storable(lastFour),
          created_at: now,
          last_used_at: null,
          revoked_at: null,
        })
        .returning(keyColumns)
        .executeTakeFirstOrThrow();
      return toKey(row);
    });
  },

  async use(hash, now) {
    const [row] = await rowsOf<KeyRow & JoinedAccount>(pool, findLiveKey, [hash]);
    if (!row) return undefined;
    const stale = row.last_used_at === null || now.getTime() - row.last_used_at.getTime() >= oneMinute;
    if (stale) await rowsOf(pool, markKeyUsed, [row.id, now]);
    return {
      key: toKey(stale ? { ...row, last_used_at: now } : row),
      account: toAccount({ ...row, id: row.account_id, name: row.account_name, created_at: row.account_created_at }),
    };
  },

  async list(accountId) {
    const rows = await database
      .selectFrom("api_key")
      .select(keyColumns)
      .where("account_id", "=", storable(accountId))
      .orderBy("created_at")
      .orderBy("number")
      .execute();
    return rows.map(toKey);
  },

  async revoke(keyId, now) {
    const result = await database
      .updateTable("api_key")
      .set({ revoked_at: now })
      .where("id", "=", storable(keyId))
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  },

  async revokeOwn(accountId, keyId, now) {
    const result = await database
      .updateTable("api_key")
      .set({ revoked_at: now })
      .where("account_id", "=", storable(accountId))
      .where("id", "=", storable(keyId))
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  },
});
