import type { OauthArtifacts } from "../../../ports.ts";
import { isBoolean, isMoment, isObjectOf, isText } from "../engine/columns.ts";
import { statement, type Database, jsonOf } from "../engine/statement.ts";

/** Programs renew their tokens for several calls at once, with the same refresh token. */
const graceOfRefresh = "interval '30 seconds'";

const saveArtifact = statement(`
  insert into oauth_artifact (kind, hash, key_id, grant_hash, payload, expires_at)
  values (:kind, :hash, :keyId, :grantHash, :payload::json, :expiresAt)
  on conflict (kind, hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`);

const prolongGrant = statement(
  "update oauth_artifact set expires_at = greatest(expires_at, :expiresAt) where kind = 'Grant' and hash = :grantHash",
);

const prolongProgram = statement(
  "update api_key set expires_at = greatest(expires_at, :expiresAt) where id = :keyId and revoked_at is null",
);

/**
 * Half a minute after a refresh token was used, every other token of its grant that isn't younger counts as used, too. If one
 * token was exchanged several times, a program keeps one result, so anyone who presents another has a copy.
 */
const findArtifact = statement(`
  select payload, expires_at,
    case when kind <> 'RefreshToken' then consumed_at is not null else exists (
      select from oauth_artifact as used
      where used.kind = 'RefreshToken' and used.grant_hash = artifact.grant_hash
        and used.consumed_at <= :now::timestamptz - ${graceOfRefresh}
        and coalesce((used.payload ->> 'rotations')::integer, 0) >= coalesce((artifact.payload ->> 'rotations')::integer, 0)
    ) end as is_consumed
  from oauth_artifact as artifact
  where kind = :kind and hash = :hash and expires_at > :now
    and (key_id is null or exists (select from api_key where id = artifact.key_id and revoked_at is null))`).reading({
  payload: isObjectOf<object>({}),
  isConsumed: isBoolean,
  expiresAt: isMoment,
});

const consumeArtifact = statement(`
  update oauth_artifact set consumed_at = coalesce(consumed_at, :now)
  where kind = :kind and hash = :hash
    and (consumed_at is null or kind = 'RefreshToken' and consumed_at > :now::timestamptz - ${graceOfRefresh})`);

const removeArtifact = statement("delete from oauth_artifact where kind = :kind and hash = :hash");

const removeGrant = statement(
  "delete from oauth_artifact where grant_hash = :grantHash and key_id is not null returning key_id",
).reading({ keyId: isText });

/** The trigger `key_webhooks` disables the endpoints that the programs added. */
const disconnectProgram = statement(`
  update api_key set revoked_at = :now
  where id = any(:ids::text[]) and address is not null and revoked_at is null
    and not exists (select from oauth_artifact where key_id = api_key.id and kind = 'Grant')`);

const findAllowed = statement(`
  select given.hash from api_key as program
  join oauth_artifact as given on given.key_id = program.id and given.kind = 'Grant'
  where program.account_id = :accountId and program.address is not null and program.revoked_at is null
    and given.payload ->> 'clientId' = :clientId and given.expires_at > :now::timestamptz
  limit 1`);

export const createOauthArtifacts = (database: Database): OauthArtifacts => ({
  async save(artifact) {
    await saveArtifact.run(database, {
      kind: artifact.kind,
      hash: artifact.hash,
      keyId: artifact.keyId,
      grantHash: artifact.grantHash,
      payload: jsonOf(artifact.payload),
      expiresAt: artifact.expiresAt,
    });
    if (artifact.kind !== "RefreshToken") return;
    await prolongGrant.run(database, artifact);
    await prolongProgram.run(database, artifact);
  },
  find: (kind, hash, now) => findArtifact.row(database, { kind, hash, now }),
  consume: async (kind, hash, now) => (await consumeArtifact.run(database, { kind, hash, now })) === 1,
  async remove(kind, hash) {
    await removeArtifact.run(database, { kind, hash });
  },
  isAllowed: async (accountId, clientId, now) => (await findAllowed.run(database, { accountId, clientId, now })) === 1,
  async revokeGrant(grantHash, now) {
    const ids = (await removeGrant.rows(database, { grantHash })).map((row) => row.keyId);
    if (ids.length > 0) await disconnectProgram.run(database, { ids: [...new Set(ids)], now });
  },
});
