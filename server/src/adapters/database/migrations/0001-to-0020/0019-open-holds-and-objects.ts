export const openHoldsAndObjects = `
-- What is held is counted whenever metrics are read.
create index hold_open on hold (held_at) where state = 'held';

-- The bytes of a picture are here, or in an object storage under a name.
alter table thumbnail alter column bytes drop not null;
alter table thumbnail add column object text;
alter table thumbnail add check ((bytes is null) <> (object is null));

-- Whoever deletes a picture leaves its object to be removed: no transaction reaches into an object storage.
create table removed_object (
  name text primary key,
  not_before timestamptz not null default '-infinity'
);
create index removed_object_next on removed_object (not_before);
create function thumbnail_object_removed() returns trigger language plpgsql as $$
begin
  insert into removed_object (name) values (old.object) on conflict (name) do nothing;
  return null;
end $$;
create trigger thumbnail_object_removed after delete on thumbnail
  for each row when (old.object is not null) execute function thumbnail_object_removed();
`;
