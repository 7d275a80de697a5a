import type { DatabaseFunction } from "./database-function.ts";

export const disableWebhooksOfKey: DatabaseFunction = {
  name: "disable_webhooks_of_key",
  sql: `
create or replace function disable_webhooks_of_key() returns trigger language plpgsql as $$
-- Whoever had the key hears nothing more, however it was revoked. A person who enables the endpoint takes it over.
begin
  update webhook set disabled_at = new.revoked_at where key_id = new.id and disabled_at is null;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "key_webhooks",
      table: "api_key",
      sql: `
create trigger key_webhooks after update of revoked_at on api_key
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function disable_webhooks_of_key();
`,
    },
  ],
};
