import type { DatabaseFunction } from "./database-function.ts";

export const changeContent: DatabaseFunction = {
  name: "change_content",
  sql: `
create or replace function change_content(of_account text, difference integer, out library bigint)
language plpgsql as $$
-- Counts a change of an account's content, and says which library is its own. Whoever changes it waits here for the one
-- before. Nothing is counted for an account that is being deleted.
begin
  update account_content
  set scripts = scripts + difference, unpacked = unpacked + greatest(difference, 0), changes = changes + 1
  where account_id = of_account
  returning number into library;
  if not found and exists (select from account where id = of_account) then
    insert into account_content as c (account_id, scripts, unpacked, changes)
    values (of_account, difference, greatest(difference, 0), 1)
    on conflict (account_id) do update
    set scripts = c.scripts + difference, unpacked = c.unpacked + greatest(difference, 0), changes = c.changes + 1
    returning number into library;
  end if;
end
$$;
`,
};
