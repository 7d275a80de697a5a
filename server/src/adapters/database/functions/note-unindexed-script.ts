import type { DatabaseFunction } from "./database-function.ts";

export const noteUnindexedScript: DatabaseFunction = {
  name: "note_unindexed_script",
  sql: `
create or replace function note_unindexed_script() returns trigger language plpgsql as $$
begin
  insert into unindexed_script (number) values (new.number) on conflict do nothing;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "searchable_script_empty",
      table: "searchable_script",
      sql: `
create trigger searchable_script_empty after insert or update of tokens on searchable_script
for each row when (new.tokens = ''::tsvector) execute function note_unindexed_script();
`,
    },
  ],
};
