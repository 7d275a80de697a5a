/** Whoever has the token may read the report. */
export const reportLinks = `
-- It goes with the report and the account. The title is the owner's.
create table report_link (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  report_number bigint not null unique references report on delete cascade,
  token text not null unique,
  title text,
  created_at timestamptz not null
);
create index report_link_account on report_link (account_id, number);
`;
