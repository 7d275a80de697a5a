/** Media that browsers sent may be in an object storage. */
export const mediaInStorage = `
-- object: the name in an object storage, which then has the bytes.
alter table sent_media_part alter column bytes drop not null;
alter table sent_media_part add column object text;
alter table sent_media_part add constraint sent_media_part_place_check check ((bytes is null) <> (object is null)) not valid;

create function sent_media_objects_removed() returns trigger language plpgsql as $$
-- Whoever deletes parts leaves their objects to be removed.
begin
  insert into removed_object (name) select object from removed where object is not null on conflict (name) do nothing;
  return null;
end
$$;
create trigger sent_media_objects_removed after delete on sent_media_part
  referencing old table as removed for each statement execute function sent_media_objects_removed();

create function is_in_storage(transcribed text) returns boolean language plpgsql stable as $$
-- True if the media that were sent for a transcription are in an object storage: all their parts, or none.
begin
  return exists (
    select from sent_media as m join sent_media_part as p on p.media_id = m.id
    where m.transcription_id = transcribed and p.number = 0 and p.object is not null
  );
end
$$;

-- The function that gives a worker what is next learns whether the worker reads objects. Nothing else changes in it.
do $$
declare
  definition text := pg_get_functiondef('claim_next(text, double precision, timestamptz, boolean, text[])'::regprocedure);
begin
  definition := replace(definition, 'away text[])', 'away text[], reads_objects boolean)');
  definition := replace(definition, 'lease_until <= moment and tries_left > 0',
    'lease_until <= moment and tries_left > 0
    and (reads_objects or owner is null or not is_in_storage(id))');
  definition := replace(definition, 'and (t.owner is not null or t.platform <> all (away))',
    'and (t.owner is not null or t.platform <> all (away))
        and (reads_objects or t.owner is null or not is_in_storage(t.id))');
  execute definition;
end
$$;

create or replace function claim_next(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean, away text[]
) returns setof transcription language plpgsql as $$
-- Processes of the release before call it. They would find no bytes in media that are in an object storage.
begin
  return query select * from claim_next(worker_name, lease_seconds, moment, alone, away, false);
end
$$;
`;
