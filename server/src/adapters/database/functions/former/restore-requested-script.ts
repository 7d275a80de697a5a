import type { DatabaseFunction } from "../database-function.ts";

export const restoreRequestedScript: DatabaseFunction = {
  name: "restore_requested_script",
  sql: `
create or replace function restore_requested_script() returns trigger language plpgsql as $$
-- For processes of the release before: a reel that is transcribed again brings its deleted script back in place of a new one.
begin
  if exists (
    select from deleted_script where account_id = new.account_id and transcript_id = new.transcript_id
  ) then
    perform restore_scripts(new.account_id, array(
      select s.id from deleted_script as d join script as s on s.number = d.number
      where d.account_id = new.account_id and d.transcript_id = new.transcript_id
    ));
    if found then return null; end if;
  end if;
  return new;
end
$$;
`,
  triggers: [
    {
      name: "script_requested",
      table: "script",
      sql: `
create trigger script_requested before insert on script
for each row execute function restore_requested_script();
`,
    },
  ],
};
