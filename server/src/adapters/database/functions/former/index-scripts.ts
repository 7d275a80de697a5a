import type { DatabaseFunction } from "../database-function.ts";

export const indexScriptsOfSetting: DatabaseFunction = {
  name: "index_scripts",
  sql: `
create or replace function index_scripts(numbers bigint[]) returns void language plpgsql as $$
-- Processes of the release before call it, with the tokens in a setting of their transaction.
begin
  perform index_scripts_2(numbers, nullif(current_setting('reelscript.tokens', true), '')::tsvector);
end
$$;
`,
};
