import type { DatabaseFunction } from "./database-function.ts";

export const followQueue: DatabaseFunction = {
  name: "follow_queue",
  sql: `
create or replace function follow_queue() returns trigger
language plpgsql as $$
-- Keeps queue_account and queue_length in step with transcription: starts, claims, releases and rows that go, also with their
-- account. What end_transcription ends, it counts itself. Rows are locked in the order
-- transcription, queue_account, queue_length, allowance, here and wherever more than one is.
declare
  was text;
  is_now text;
  same boolean;
begin
  if tg_op <> 'INSERT' and old.state in ('queued', 'running') then was := coalesce(old.account_id, ''); end if;
  if tg_op <> 'DELETE' and new.state in ('queued', 'running') then is_now := coalesce(new.account_id, ''); end if;
  same := was = is_now;
  if same then
    perform count_in_queue(was,
      (new.state = 'queued')::integer - (old.state = 'queued')::integer,
      (new.state = 'running')::integer - (old.state = 'running')::integer, new.queued_at);
    return new;
  end if;
  if was is not null then
    perform count_in_queue(was, -(old.state = 'queued')::integer, -(old.state = 'running')::integer, old.queued_at);
  end if;
  if is_now is not null then
    perform count_in_queue(is_now, (new.state = 'queued')::integer, (new.state = 'running')::integer, new.queued_at);
  end if;
  if was is not null then perform add_to_queue_length(was, -1); end if;
  if is_now is not null then perform add_to_queue_length(is_now, 1); end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
`,
  triggers: [
    {
      name: "follow_queue_at_start",
      table: "transcription",
      sql: `
create trigger follow_queue_at_start after insert on transcription
  for each row execute function follow_queue();
`,
    },
    // Before, so that a statement of the release before that settles an allowance too has the queue's rows first.
    {
      name: "follow_queue_2",
      table: "transcription",
      sql: `
create trigger follow_queue_2 before update of state, account_id on transcription
  for each row when (
    (old.state is distinct from new.state or old.account_id is distinct from new.account_id) and not new.ended_by_function
  )
  execute function follow_queue();
`,
    },
    {
      name: "follow_queue_at_removal",
      table: "transcription",
      sql: `
create trigger follow_queue_at_removal after delete on transcription
  for each row when (old.state in ('queued', 'running')) execute function follow_queue();
`,
    },
  ],
};
