import type { DatabaseFunction } from "./database-function.ts";

export const indexedTokens: DatabaseFunction = {
  name: "indexed_tokens",
  sql: `
create or replace function indexed_tokens(of_transcript tsvector, of_correction tsvector, before tsvector) returns tsvector
language plpgsql immutable as $$
-- What finds a script, which had the words of its caption before.
begin
  if of_transcript = ''::tsvector and (of_correction is null or before = ''::tsvector) then return ''; end if;
  return search_tokens(case when of_transcript = ''::tsvector then before else of_transcript end, of_correction);
end
$$;
`,
};
