export const extensions = `
-- What a connected extension has is a session that no cookie opens: its hash is that of a token.
alter table session add column kind text not null default 'browser' check (kind in ('browser', 'extension'));

-- What a person approved and the extension has not fetched yet. challenge: SHA-256 of what only the extension knows.
create table extension_code (
  code_hash bytea primary key,
  account_id text not null references account on delete cascade,
  challenge bytea not null,
  expires_at timestamptz not null
);
create index extension_code_expires on extension_code (expires_at);
create index extension_code_account on extension_code (account_id);
`;
