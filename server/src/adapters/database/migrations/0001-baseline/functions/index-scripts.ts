export const indexScripts = `
create function index_scripts(numbers bigint[]) returns void language plpgsql as $$
-- Brings what searches read of scripts into agreement with their transcripts and corrections, and counts the change.
declare
  one record;
begin
  for one in
    select account_id, array_agg(number) as numbers from script where number = any(numbers)
    group by account_id order by account_id
  loop
    perform change_content(one.account_id, 0);
    update searchable_script as f
    set views = s.views, engagement_rate = s.engagement_rate, tokens = search_tokens(t.tokens, c.tokens)
    from script as s
      join transcript as t on t.id = s.transcript_id
      left join script_correction as c on c.script_number = s.number
    where s.number = any(one.numbers) and f.number = s.number;
  end loop;
end
$$;
`;
