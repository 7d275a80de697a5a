export const billing = `
-- As the biller had it when it was last read. version counts the readings, so that none overwrites a later one. Without a
-- customer where the biller doesn't know it any more.
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

-- Events of the biller that were handled, so that each is handled once.
create table billing_event (
  id text primary key,
  account_id text references account on delete cascade,
  at timestamptz not null
);
create index billing_event_account on billing_event (account_id);
create index billing_event_at on billing_event (at);

-- A paid invoice. starts_at is the first moment of the period that it began; empty when it began none.
create table payment (
  invoice_id text primary key,
  account_id text not null references account on delete cascade,
  subscription_id text not null,
  starts_at timestamptz
);
create index payment_account on payment (account_id, starts_at);

-- Units charged (used) and held of a slot in a period; what a slot used outlives its keys.
create table allowance (
  account_id text not null references account on delete cascade,
  slot smallint not null check (slot between 0 and 5),
  period text not null,
  used integer not null default 0 check (used >= 0),
  held integer not null default 0 check (held >= 0),
  primary key (account_id, slot, period)
) with (fillfactor = 80);

-- Reels analyzed for an account in a period, whatever its keys.
create table post_allowance (
  account_id text not null references account on delete cascade,
  period text not null,
  used integer not null check (used >= 0),
  primary key (account_id, period)
) with (fillfactor = 80);
`;
