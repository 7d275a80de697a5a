/** Operators find accounts by address, and everything that they do is recorded. */
export const operators = `
-- What operators did that no other table records. It continues audit, as plan_change does; actions are no closed list. Nothing
-- here is ever changed.
create table operator_note (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  reason text not null
);

-- When a program outside the service last wrote a backup.
create table backup_mark (
  one boolean primary key default true check (one),
  at timestamptz not null
);

create index account_email on account (lower(email) collate "C", id collate "C");
`;
