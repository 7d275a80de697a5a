/** Endpoints end with the key that made them, and the refresh tokens that were used are found by their generation. */
export const keysOfWebhooks = `
-- The key that made or enabled it; null when a person did.
alter table webhook add column key_id text references api_key on delete set null;
create index webhook_key on webhook (key_id) where key_id is not null;

create index oauth_artifact_used on oauth_artifact (grant_hash, (coalesce((payload ->> 'rotations')::integer, 0)))
  where kind = 'RefreshToken' and consumed_at is not null;
`;
