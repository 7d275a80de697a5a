import type { DatabaseFunction } from "./database-function.ts";

export const sharedTokens: DatabaseFunction = {
  name: "shared_tokens_2",
  sql: `
create or replace function shared_tokens_2(of_transcript bigint, brought tsvector) returns tsvector language plpgsql as $$
-- What finds a transcript: its own, or what the caller brings along that changes it, or what another library has.
-- Empty when none of them is there.
declare
  found_tokens tsvector;
begin
  select tokens into found_tokens from transcript where id = of_transcript;
  if found_tokens <> ''::tsvector then return found_tokens; end if;
  if brought <> ''::tsvector then return brought; end if;
  select f.tokens into found_tokens
  from script as s join searchable_script as f on f.number = s.number
  where s.transcript_id = of_transcript and f.tokens <> ''::tsvector
    and not exists (select from script_correction as c where c.script_number = s.number)
  limit 1;
  return coalesce(found_tokens, '');
end
$$;
`,
};
