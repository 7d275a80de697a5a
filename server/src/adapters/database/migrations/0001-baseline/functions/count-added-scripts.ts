export const countAddedScripts = `
create function count_added_scripts() returns trigger language plpgsql as $$
-- Counts new scripts and makes them searchable, as they are by now: another trigger may have given them the transcript
-- that everybody has.
declare
  one record;
  library_number bigint;
begin
  for one in
    select account_id, count(*)::integer as scripts from added group by account_id order by account_id
  loop
    library_number := change_content(one.account_id, one.scripts);
    insert into searchable_script (number, library, added_at, views, engagement_rate, packed, tokens)
    select s.number, library_number, s.added_at, s.views, s.engagement_rate, false, t.tokens
    from added as a join script as s on s.number = a.number join transcript as t on t.id = s.transcript_id
    where a.account_id = one.account_id;
  end loop;
  return null;
end
$$;
create trigger script_added after insert on script referencing new table as added
for each statement execute function count_added_scripts();
`;
