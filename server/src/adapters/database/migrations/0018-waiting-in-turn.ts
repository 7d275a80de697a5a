/** Canceled batches end what only they began, share links are looked up by a task of its own, and reels wait for the storage. */
export const waitingInTurn = `
-- is_batched: batches began it, and no single call has requested it since, so it may be canceled with them.
alter table transcription add column is_batched boolean not null default false;
alter table transcription drop constraint transcription_waiting_for_check;
-- Validating it would read the whole table while nobody else may.
alter table transcription add constraint transcription_waiting_for_check
  check (waiting_for in ('platform', 'recognizer', 'storage')) not valid;

-- locate_at: when the platform is next asked about one of its share links; null while none waits.
alter table batch add column locate_at timestamptz;
`;
