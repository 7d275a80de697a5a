export const shareLinks = `
-- Whoever has the token may read the script. It goes with the script and the account.
create table share_link (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  script_number bigint not null unique references script on delete cascade,
  token text not null unique,
  created_at timestamptz not null
);
create index share_link_account on share_link (account_id, number);
`;
