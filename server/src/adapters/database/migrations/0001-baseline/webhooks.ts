export const webhooks = `
-- Whom an account wants to be notified. Nobody else sends to an endpoint before busy_until. former_secret signs too until
-- former_until. redelivered counts the deliveries that were sent again since redelivered_since.
create table webhook (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  url text not null,
  secret bytea not null,
  created_at timestamptz not null,
  busy_until timestamptz not null default '-infinity',
  failing_since timestamptz,
  disabled_at timestamptz,
  last_at timestamptz,
  last_event text,
  last_status integer,
  last_problem text,
  former_secret bytea,
  former_until timestamptz,
  redelivered integer not null default 0,
  redelivered_since timestamptz not null default '-infinity'
);
create index webhook_account on webhook (account_id, number);

-- How each delivery went; those of a disabled endpoint wait for it.
create table webhook_delivery (
  id text primary key,
  webhook_id text not null references webhook on delete cascade,
  event text not null,
  transcription_id text,
  reel_url text,
  created_at timestamptz not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  settled_at timestamptz,
  last_at timestamptz,
  last_status integer,
  last_problem text
) with (fillfactor = 80);
create index webhook_delivery_pending on webhook_delivery (webhook_id, due_at) where settled_at is null;
create index webhook_delivery_webhook on webhook_delivery (webhook_id, created_at desc);
create index webhook_delivery_created on webhook_delivery (created_at);
`;
