import type { DatabaseFunction } from "../database-function.ts";

export const countAddedScripts: DatabaseFunction = {
  name: "count_added_scripts",
  sql: `
create or replace function count_added_scripts() returns trigger language plpgsql as $$
-- Counts new scripts and makes them searchable, as they are by now: another trigger may have given them the transcript
-- that everybody has. Those that add_script added are searchable already, and counted.
declare
  one record;
  library_number bigint;
begin
  for one in
    select account_id, count(*)::integer as scripts from added
    where not exists (select from searchable_script as f where f.number = added.number)
    group by account_id order by account_id
  loop
    library_number := change_content(one.account_id, one.scripts);
    insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
    select s.number, library_number, s.added_at, s.views, s.engagement_rate, false, shared_tokens(s.transcript_id)
    from added as a join script as s on s.number = a.number
    where a.account_id = one.account_id
      and not exists (select from searchable_script as f where f.number = a.number);
  end loop;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "script_added",
      table: "script",
      sql: `
create trigger script_added after insert on script referencing new table as added
for each statement execute function count_added_scripts();
`,
    },
  ],
};
