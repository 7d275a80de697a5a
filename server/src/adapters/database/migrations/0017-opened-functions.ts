/** Every function and trigger has a file in `functions/`, and one function ends transcriptions. */
export const openedFunctions = `
-- ended_by_function: end_transcription ended it and did all that follows. Processes of the release before leave it false, and
-- triggers do it for them.
alter table transcription add column ended_by_function boolean not null default false,
  alter column request_id drop default, alter column request_span drop default;

-- Others of the same functions take their places.
drop trigger if exists follow_queue on transcription;
drop trigger if exists transcription_interim_text on transcription;
drop trigger if exists transcription_media_used on transcription;
drop trigger if exists transcription_webhooks on transcription;
`;
