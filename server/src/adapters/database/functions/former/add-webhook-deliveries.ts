import type { DatabaseFunction } from "../database-function.ts";

export const addWebhookDeliveries: DatabaseFunction = {
  name: "add_webhook_deliveries",
  sql: `
create or replace function add_webhook_deliveries() returns trigger language plpgsql as $$
-- For processes of the release before: notifies the account's endpoints of the end of a transcription, in the transaction that ends it, so that no crash comes
-- between. A transcription ends once. The endpoints are locked: one that is being deleted is waited for and left out,
-- instead of failing the statement. For a disabled endpoint they are kept until it is enabled.
begin
  insert into webhook_delivery (id, webhook_id, event, transcription_id, reel_url, created_at, due_at)
  select 'msg_' || split_part(new.id, '_', 2) || '_' || split_part(w.id, '_', 2), w.id, 'transcription.' || new.state,
    new.id, new.url, new.finished_at, new.finished_at
  from webhook as w join account as a on a.id = w.account_id
  where w.account_id = new.account_id and a.suspended_at is null
  order by w.number
  for key share of w
  on conflict (id) do nothing;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "transcription_webhooks_2",
      table: "transcription",
      sql: `
create trigger transcription_webhooks_2 after update of state on transcription
  for each row when (
    new.account_id is not null and new.state in ('done', 'failed') and old.state in ('queued', 'running')
    and not new.ended_by_function
  )
  execute function add_webhook_deliveries();
`,
    },
  ],
};
