import type { DatabaseFunction } from "./database-function.ts";

export const countRemovedScripts: DatabaseFunction = {
  name: "count_removed_scripts",
  sql: `
create or replace function count_removed_scripts() returns trigger language plpgsql as $$
-- Counts scripts that are gone.
declare one record;
begin
  for one in
    select account_id, count(*)::integer as scripts from removed group by account_id order by account_id
  loop
    perform change_content(one.account_id, -one.scripts);
  end loop;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "script_removed",
      table: "script",
      sql: `
create trigger script_removed after delete on script referencing old table as removed
for each statement execute function count_removed_scripts();
`,
    },
  ],
};
