/** The request that started a transcription, so that what a worker writes leads back to it. */
export const originOfTranscriptions = `
-- request_id, request_span: given by settings of the statement that starts it, because start_transcription keeps the
-- parameters that the release before gives it. The span is the ids of trace and span with a dash between.
alter table transcription add column request_id text, add column request_span text;
alter table transcription
  alter column request_id set default nullif(current_setting('reelscript.request_id', true), ''),
  alter column request_span set default nullif(current_setting('reelscript.request_span', true), '');
`;
