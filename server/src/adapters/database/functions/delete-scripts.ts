import type { DatabaseFunction } from "./database-function.ts";

export const deleteScripts: DatabaseFunction = {
  name: "delete_scripts",
  sql: `
create or replace function delete_scripts(of_account text, script_ids text[], moment timestamptz) returns setof text
language plpgsql as $$
-- Takes scripts out of a library for a while, and answers their ids. The table comes before its rows, as in a takedown.
declare
  deleted integer;
begin
  lock table script in row exclusive mode;
  perform from script where account_id = of_account and id = any(script_ids) order by number for update;
  -- The same reel may have been deleted before.
  delete from script as earlier using deleted_script as d, script as s
  where d.account_id = of_account and earlier.number = d.number
    and s.account_id = of_account and s.id = any(script_ids) and s.transcript_id = d.transcript_id;
  return query
  with gone as (
    update script set account_id = null where account_id = of_account and id = any(script_ids)
    returning number, id, transcript_id
  ), unlisted as (
    delete from searchable_script as f using gone where f.number = gone.number
  ), unshared as (
    delete from share_link as l using gone where l.script_number = gone.number
  ), noted as (
    insert into deleted_script (number, account_id, transcript_id, deleted_at)
    select gone.number, of_account, gone.transcript_id, moment from gone
  )
  select gone.id from gone;
  get diagnostics deleted = row_count;
  if deleted > 0 then
    perform change_content(of_account, -deleted);
  end if;
end
$$;
`,
};
