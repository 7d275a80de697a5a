export const keyRequests = `
-- The last requests of a key, newest first: [{"at", "operation", "door", "status"}]. One row, so that a batch of requests
-- writes each key once.
create table key_request (
  key_id text primary key references api_key on delete cascade,
  requests json not null
) with (fillfactor = 60);

-- The account of the reel as the platform writes it. In both tables: one is copied, the other counted by an index alone.
-- What there is already knows it from its token, in small letters.
alter table transcript add column handle text;
update transcript set handle = (
  select substr(token, 2) from unnest(tsvector_to_array(tokens)) as token where token like '@%' limit 1
);
alter table script add column handle text;
update script set handle = transcript.handle from transcript where transcript.id = script.transcript_id;
create index script_by_handle on script (account_id, handle);
`;
