import type { DatabaseFunction } from "../database-function.ts";

export const scriptOf: DatabaseFunction = {
  name: "script_of",
  sql: `
create or replace function script_of(of_account text, of_transcript bigint) returns text language plpgsql as $$
-- The account's script of a transcript, also when the statement that asks has just restored it.
begin
  return (select id from script where account_id = of_account and transcript_id = of_transcript);
end
$$;
`,
};
