/** Canceled batches end what only they began, share links are looked up by a task of its own, and reels wait for the storage. */
export const waitingInTurn = `
-- is_batched: batches began it, and no single call has requested it since, so it may be canceled with them.
alter table transcription add column is_batched boolean not null default false;
alter table transcription drop constraint transcription_waiting_for_check;
-- Validating it would read the whole table while nobody else may.
alter table transcription add constraint transcription_waiting_for_check
  check (waiting_for in ('platform', 'recognizer', 'storage')) not valid;

-- What answers no worker, until then unless somebody reports it again or gets an answer. name: the platform; empty for others.
create table neighbor_away (
  neighbor text not null check (neighbor in ('platform', 'recognizer', 'storage')),
  name text not null,
  until timestamptz not null,
  primary key (neighbor, name)
) with (fillfactor = 50);

-- locate_at: when the platform is next asked about one of its share links; null while none waits.
alter table batch add column locate_at timestamptz;
`;
