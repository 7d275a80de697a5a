import type { DatabaseFunction } from "../database-function.ts";

export const restoreScriptsOfSetting: DatabaseFunction = {
  name: "restore_scripts",
  sql: `
create or replace function restore_scripts(of_account text, script_ids text[]) returns setof text language plpgsql as $$
-- Processes of the release before call it, with the tokens in a setting of their transaction.
begin
  return query select restore_scripts_2(of_account, script_ids, nullif(current_setting('reelscript.tokens', true), '')::tsvector);
end
$$;
`,
};
