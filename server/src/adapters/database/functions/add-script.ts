import type { DatabaseFunction } from "./database-function.ts";

export const addScript: DatabaseFunction = {
  name: "add_script",
  sql: `
create or replace function add_script(
  new_id text, of_account text, of_transcript bigint, moment timestamptz, brought tsvector
) returns text language plpgsql as $$
-- Adds a transcript to an account's library. Answers the id of its script: the one that is there, the deleted one, which comes
-- back, or a new one. brought: what finds the transcript, if the caller knows.
declare
  script_id text;
begin
  select id into script_id from script where account_id = of_account and transcript_id = of_transcript;
  if found then return script_id; end if;

  select s.id into script_id from deleted_script as d join script as s on s.number = d.number
  where d.account_id = of_account and d.transcript_id = of_transcript;
  if found then
    perform restore_scripts_2(of_account, array[script_id], brought);
    if found then return script_id; end if;
  end if;

  -- The script comes before its account's counts, as wherever both are changed. It is searchable in the same statement, so that
  -- the trigger script_added leaves it alone. An account that is being deleted counts nothing, and its key refuses the script.
  with added as (
    insert into script (id, account_id, transcript_id, added_at, views, engagement_rate, handle)
    select new_id, of_account, t.id, moment, t.views, t.engagement_rate, t.handle
    from transcript as t where t.id = of_transcript
    on conflict (account_id, transcript_id) do nothing
    returning number, account_id, added_at, views, engagement_rate
  )
  insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
  select added.number, counted.library, added.added_at, added.views, added.engagement_rate, false,
    shared_tokens_2(of_transcript, brought)
  from added cross join lateral (select change_content(added.account_id, 1) as library) as counted
  where counted.library is not null;

  return (select id from script where account_id = of_account and transcript_id = of_transcript);
end
$$;
`,
};
