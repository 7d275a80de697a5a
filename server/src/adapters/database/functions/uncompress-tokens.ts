import type { DatabaseFunction } from "./database-function.ts";

export const uncompressTokens: DatabaseFunction = {
  name: "uncompress_tokens",
  sql: `
create or replace function uncompress_tokens() returns trigger language plpgsql as $$
-- Values stay compressed when they are copied from a column that compresses them.
begin
  new.tokens := new.tokens || ''::tsvector;
  return new;
end
$$;
`,
  triggers: [
    {
      name: "searchable_script_uncompressed",
      table: "searchable_script",
      sql: `
create trigger searchable_script_uncompressed before insert or update of tokens on searchable_script
for each row when (pg_column_compression(new.tokens) is not null) execute function uncompress_tokens();
`,
    },
  ],
};
