export const reports = `
-- Reels analyzed for an account in a period, whatever its keys.
create table post_allowance (
  account_id text not null references account,
  period text not null,
  used integer not null check (used >= 0),
  primary key (account_id, period)
) with (fillfactor = 80);

create table report (
  number bigint generated always as identity primary key,
  id text not null unique,
  account_id text not null references account,
  handle text not null,
  created_at timestamptz not null,
  reels_analyzed integer not null check (reels_analyzed >= 0),
  timezone text not null,
  findings json not null
);
create index report_by_date on report (account_id, created_at desc, number desc);
create index report_by_handle on report (account_id, handle, created_at desc, number desc);
`;
