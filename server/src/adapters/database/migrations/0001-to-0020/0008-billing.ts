export const billing = `
-- subscription_id names the subscription that the plan comes from; the paid period is that of its last payment.
alter table account
  add column subscription_id text,
  add column paid_from timestamptz,
  add column paid_until timestamptz,
  add check ((paid_from is null) = (paid_until is null));

-- As the biller had it when it was last read. version counts the readings, so that none overwrites a later one. Without a
-- customer where the biller knows it no more.
create table subscription (
  id text primary key,
  account_id text not null references account on delete cascade,
  customer_id text,
  plan text not null,
  status text not null,
  created_at timestamptz not null,
  period_end timestamptz not null,
  cancels_at timestamptz,
  version integer not null,
  read_at timestamptz not null
);
create index subscription_account on subscription (account_id, created_at);
create index subscription_period_end on subscription (period_end);

-- What the biller has told, each once.
create table billing_event (
  id text primary key,
  account_id text references account on delete cascade,
  type text not null,
  at timestamptz not null
);
create index billing_event_account on billing_event (account_id);
create index billing_event_at on billing_event (at);

-- A paid invoice. starts_at is the first moment of the period that it began; empty when it began none.
create table payment (
  invoice_id text primary key,
  account_id text not null references account on delete cascade,
  subscription_id text not null,
  cents bigint not null,
  paid_at timestamptz not null,
  starts_at timestamptz
);
create index payment_account on payment (account_id, paid_at);
`;
