export const bioHandles = `
-- Handles that were given up: until then only their account may claim them again.
create table bio_former_handle (
  handle text primary key,
  account_id text not null references account on delete cascade,
  held_until timestamptz not null
);
create index bio_former_handle_account on bio_former_handle (account_id);
create index bio_former_handle_end on bio_former_handle (held_until);
`;
