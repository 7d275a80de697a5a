import type { DatabaseFunction } from "./database-function.ts";

export const endTranscription: DatabaseFunction = {
  name: "end_transcription",
  sql: `
create or replace function end_transcription(
  ended_id text,
  -- The attempt of the worker that ends it; null for others, who may end it while it waits, too.
  of_attempt integer,
  moment timestamptz,
  -- Why it failed; null when it is done.
  reason json,
  -- Whether its unit is charged; otherwise it is returned.
  charged boolean,
  -- The account's hint decided the text, so that it belongs to the account alone.
  for_account boolean default false,
  -- What became of the transcript that it might have replaced.
  outcome text default null
) returns setof transcription language plpgsql as $$
-- Ends a queued or running transcription and does all that follows, or nothing if it has ended or has another attempt. Answers
-- the ended row. Rows are locked in the order transcription, queue_account, queue_length, allowance, wherever more than one is.
declare
  was transcription;
  ended transcription;
  settled hold;
begin
  select * into was from transcription
  where id = ended_id and (
    case when of_attempt is null then state in ('queued', 'running') else state = 'running' and attempt = of_attempt end
  )
  for update;
  if not found then return; end if;

  update transcription
  set state = case when reason is null then 'done' else 'failed' end, failure = reason,
    progress = case when reason is null then 1 else progress end, lease_until = null, worker = null, finished_at = moment,
    owner = case when for_account then account_id else owner end, retranscription_outcome = outcome,
    crashes = crashes + (of_attempt is null and was.state = 'running' and was.lease_until <= moment)::integer,
    ended_by_function = true
  where id = ended_id
  returning * into ended;

  -- The queue is shorter by one.
  perform count_in_queue(
    account => coalesce(was.account_id, ''), waits => -(was.state = 'queued')::integer,
    runs => -(was.state = 'running')::integer, since => was.queued_at
  );
  perform add_to_queue_length(coalesce(was.account_id, ''), -1);

  -- The units are charged or returned in the period in which it was held.
  update hold set state = case when charged then 'charged' else 'refunded' end
  where transcription_id = ended_id and state = 'held'
  returning * into settled;
  if found then
    update allowance set held = held - settled.units, used = used + charged::integer * settled.units
    where account_id = settled.account_id and slot = settled.slot and period = settled.period;
  end if;

  -- What was recognized so far, and media that were sent, are needed no more.
  delete from interim_text where transcription_id = ended_id;
  if ended.owner is not null then
    delete from sent_media where transcription_id = ended_id;
    perform end_file(ended_id, reason is null, moment);
  end if;
  if ended.translates is not null then
    perform delete_file_bytes(f.id, moment) from file as f
    where f.translation_id = ended_id and f.kept_until is null and f.deleted_at is null;
    return next ended;
    return;
  end if;

  -- Endpoints of the account are notified, also disabled ones: their deliveries wait. The lock waits for an endpoint that is
  -- being deleted, and leaves it out.
  insert into webhook_delivery (id, webhook_id, event, transcription_id, reel_url, created_at, due_at)
  select 'msg_' || split_part(ended_id, '_', 2) || '_' || split_part(w.id, '_', 2), w.id, 'transcription.' || ended.state,
    ended_id, ended.url, moment, moment
  from webhook as w join account as a on a.id = w.account_id
  where w.account_id = ended.account_id and a.suspended_at is null
  order by w.number
  for key share of w
  on conflict (id) do nothing;

  return next ended;
end
$$;
`,
};
