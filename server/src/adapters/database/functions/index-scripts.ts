import type { DatabaseFunction } from "./database-function.ts";

export const indexScripts: DatabaseFunction = {
  name: "index_scripts_2",
  sql: `
create or replace function index_scripts_2(numbers bigint[], brought tsvector) returns void language plpgsql as $$
-- Brings what searches read of scripts into agreement with their transcripts and corrections, and counts the change.
-- brought: what finds their transcript, if the caller knows.
declare
  one record;
begin
  for one in
    select account_id, array_agg(number) as numbers from script where number = any(numbers)
    group by account_id order by account_id
  loop
    perform change_content(one.account_id, 0);
    with shared as materialized (
      select id, shared_tokens_2(id, brought) as tokens from transcript
      where id in (select transcript_id from script where number = any(one.numbers))
    )
    update searchable_script as f
    set views = s.views, engagement_rate = s.engagement_rate,
      tokens = indexed_tokens(shared.tokens, c.tokens, f.tokens)
    from script as s
      join shared on shared.id = s.transcript_id
      left join script_correction as c on c.script_number = s.number
    where s.number = any(one.numbers) and f.number = s.number;
  end loop;
end
$$;
`,
};
