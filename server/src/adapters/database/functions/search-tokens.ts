import type { DatabaseFunction } from "./database-function.ts";

export const searchTokens: DatabaseFunction = {
  name: "search_tokens",
  sql: `
create or replace function search_tokens(of_transcript tsvector, of_correction tsvector) returns tsvector
language plpgsql immutable as $$
-- What finds a script. The words of a correction take the place of those that were recognized: of the transcript stay the
-- words of its caption, which have the weight A, and the mark of its handle. Language and length are those of the copy.
declare
  marks text[];
begin
  if of_correction is null then return of_transcript; end if;
  select coalesce(array_agg(lexeme), '{}') into marks
  from unnest(of_transcript) where positions is null and lexeme like '@%';
  return ts_filter(of_transcript, '{a}') || of_correction || array_to_tsvector(marks);
exception when program_limit_exceeded then
  return of_correction || array_to_tsvector(marks);
end
$$;
`,
};
