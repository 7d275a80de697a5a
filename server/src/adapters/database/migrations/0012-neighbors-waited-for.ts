/** A transcription names the neighbor that it waits for: the platform or a recognizer. */
export const neighborsWaitedFor = `
-- waiting_for: what it waits for. waits: true while that is the platform, for the release before.
alter table transcription add column waiting_for text;
-- Validating it would read the whole table while nobody else may.
alter table transcription add constraint transcription_waiting_for_check
  check (waiting_for in ('platform', 'recognizer')) not valid;

-- A claim ends the wait. Nothing else changes in the function.
do $$
begin
  execute replace(
    pg_get_functiondef('claim_next(text, double precision, timestamptz, boolean, text[])'::regprocedure),
    'waits = false', 'waits = false, waiting_for = null'
  );
end
$$;
`;
