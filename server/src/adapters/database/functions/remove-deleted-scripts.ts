import type { DatabaseFunction } from "./database-function.ts";

export const removeDeletedScripts: DatabaseFunction = {
  name: "remove_deleted_scripts",
  sql: `
create or replace function remove_deleted_scripts() returns trigger language plpgsql as $$
-- Scripts that belong to no account go with the one that deleted them, before the transcripts that it sent.
begin
  delete from script where number in (select number from deleted_script where account_id = old.id);
  return old;
end
$$;
`,
  triggers: [
    {
      name: "account_removed_scripts",
      table: "account",
      sql: `
create trigger account_removed_scripts before delete on account
for each row execute function remove_deleted_scripts();
`,
    },
  ],
};
