import type { DatabaseFunction } from "./database-function.ts";

export const countInQueue: DatabaseFunction = {
  name: "count_in_queue",
  sql: `
create or replace function count_in_queue(account text, waits integer, runs integer, since timestamptz) returns void
language plpgsql as $$
-- Adds to what an account has in the queue. An account that was quiet comes in as if it had been served five minutes
-- before since: before all that were served after that, but not before those that have waited longer.
begin
  insert into queue_account as q (account_id, waiting, running, last_served_at)
  values (account, waits, runs, since - interval '5 minutes')
  on conflict (account_id) do update
  set waiting = q.waiting + waits, running = q.running + runs,
    last_served_at = case
      when q.waiting = 0 and waits > 0 then greatest(q.last_served_at, excluded.last_served_at)
      else q.last_served_at
    end;
end
$$;
`,
};
