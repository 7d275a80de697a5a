/** A transcription names the neighbor that it waits for: the platform or a recognizer. */
export const neighborsWaitedFor = `
-- waiting_for: what it waits for. waits: true while that is the platform, for the release before.
alter table transcription add column waiting_for text;
-- Validating it would read the whole table while nobody else may.
alter table transcription add constraint transcription_waiting_for_check
  check (waiting_for in ('platform', 'recognizer')) not valid;
`;
