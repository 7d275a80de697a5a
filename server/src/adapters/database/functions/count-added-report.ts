import type { DatabaseFunction } from "./database-function.ts";

export const countAddedReport: DatabaseFunction = {
  name: "count_added_report",
  sql: `
create or replace function count_added_report() returns trigger language plpgsql as $$
-- Counts a new report as a change of its account's content.
begin
  perform change_content(new.account_id, 0);
  return null;
end
$$;
`,
  triggers: [
    {
      name: "report_added",
      table: "report",
      sql: `
create trigger report_added after insert on report for each row execute function count_added_report();
`,
    },
  ],
};
