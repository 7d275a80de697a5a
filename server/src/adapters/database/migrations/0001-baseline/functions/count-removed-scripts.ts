export const countRemovedScripts = `
create function count_removed_scripts() returns trigger language plpgsql as $$
-- Counts scripts that are gone.
declare one record;
begin
  for one in
    select account_id, count(*)::integer as scripts from removed group by account_id order by account_id
  loop
    perform change_content(one.account_id, -one.scripts);
  end loop;
  return null;
end
$$;
create trigger script_removed after delete on script referencing old table as removed
for each statement execute function count_removed_scripts();
`;
