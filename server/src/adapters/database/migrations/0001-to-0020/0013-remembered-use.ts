export const rememberedUse = `
-- What the identity of a removed account had used of the allowances that never begin anew: units[n] in slot n - 1. It tells
-- nobody who that was; whoever comes with the same identity is recognised by its hash. A day of UTC and not a moment, which
-- would lead to what else was written then.
create table remembered_use (
  fingerprint bytea primary key,
  units integer[] not null check (cardinality(units) = 6),
  posts integer not null check (posts >= 0),
  removed_on date not null
);
create index remembered_use_end on remembered_use (removed_on);

-- A handle that an account left behind is held for nobody.
alter table bio_former_handle
  alter column account_id drop not null,
  drop constraint bio_former_handle_account_id_fkey,
  add foreign key (account_id) references account on delete set null;
`;
