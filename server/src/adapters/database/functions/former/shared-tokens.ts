import type { DatabaseFunction } from "../database-function.ts";

export const sharedTokensOfSetting: DatabaseFunction = {
  name: "shared_tokens",
  sql: `
create or replace function shared_tokens(of_transcript bigint) returns tsvector language plpgsql as $$
-- Processes of the release before call it, with the tokens in a setting of their transaction.
begin
  return shared_tokens_2(of_transcript, nullif(current_setting('reelscript.tokens', true), '')::tsvector);
end
$$;
`,
};
