/** Endpoints end with the key that made them, and the refresh tokens that were used are found by their generation. */
export const keysOfWebhooks = `
-- The key that made or enabled it; null when a person did.
alter table webhook add column key_id text references api_key on delete set null;
create index webhook_key on webhook (key_id) where key_id is not null;

create function disable_webhooks_of_key() returns trigger language plpgsql as $$
-- Whoever had the key hears nothing more, however it was revoked. A person who enables the endpoint takes it over.
begin
  update webhook set disabled_at = new.revoked_at where key_id = new.id and disabled_at is null;
  return null;
end
$$;
create trigger key_webhooks after update of revoked_at on api_key
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function disable_webhooks_of_key();

create index oauth_artifact_used on oauth_artifact (grant_hash, (coalesce((payload ->> 'rotations')::integer, 0)))
  where kind = 'RefreshToken' and consumed_at is not null;
`;
