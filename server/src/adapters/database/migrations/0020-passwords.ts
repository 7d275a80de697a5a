/** Accounts may have a password instead of an identity provider, set with an invitation of the operator. */
export const passwords = `
-- The password of an account, for AUTH=password. hash: the algorithm, its parameters, salt and result. The person signs in by
-- the account's identity of the issuer 'password', whose subject is the email address in small letters.
create table account_password (
  account_id text primary key references account on delete cascade,
  hash text not null,
  changed_at timestamptz not null
);

-- Links with which a person may set a password once. token_hash: SHA-256 of what the link holds.
create table invitation (
  token_hash bytea primary key,
  account_id text not null references account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index invitation_account on invitation (account_id);
create index invitation_expires on invitation (expires_at);

-- Which invitations and resets of passwords operators gave, and why. It continues audit, as plan_change does. Nothing here is
-- ever changed.
create table invitation_note (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  account_id text not null,
  is_reset boolean not null,
  reason text not null
);
`;
