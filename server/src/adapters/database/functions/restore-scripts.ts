import type { DatabaseFunction } from "./database-function.ts";

export const restoreScripts: DatabaseFunction = {
  name: "restore_scripts_2",
  sql: `
create or replace function restore_scripts_2(of_account text, script_ids text[], brought tsvector) returns setof text
language plpgsql as $$
-- Puts deleted scripts back, and answers their ids. A reel that has a script again keeps that one. Transcripts come first, as
-- in a correction: whoever hears a reel again has its new words indexed.
-- brought: what finds their transcript, if the caller knows.
declare
  restored bigint[];
  ids text[];
  library_number bigint;
begin
  lock table script in row exclusive mode;
  perform from transcript where id = any(array(
    select d.transcript_id from deleted_script as d join script as s on s.number = d.number
    where d.account_id = of_account and s.id = any(script_ids)
  )) order by id for share;
  with back as (
    update script as s set account_id = of_account
    from deleted_script as d
    where d.account_id = of_account and s.number = d.number and s.account_id is null and s.id = any(script_ids)
      and not exists (
        select from script as other where other.account_id = of_account and other.transcript_id = d.transcript_id
      )
    returning s.number, s.id
  )
  select array_agg(back.number), array_agg(back.id) into restored, ids from back;
  if restored is null then return; end if;
  delete from deleted_script where number = any(restored);
  library_number := change_content(of_account, cardinality(restored));
  insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
  select s.number, library_number, s.added_at, s.views, s.engagement_rate, false,
    indexed_tokens(shared_tokens_2(s.transcript_id, brought), c.tokens, '')
  from script as s left join script_correction as c on c.script_number = s.number
  where s.number = any(restored);
  return query select unnest(ids);
end
$$;
`,
};
