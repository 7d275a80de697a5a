export const countAddedReport = `
create function count_added_report() returns trigger language plpgsql as $$
-- Counts a new report as a change of its account's content.
begin
  perform change_content(new.account_id, 0);
  return null;
end
$$;
create trigger report_added after insert on report for each row execute function count_added_report();
`;
