import type { DatabaseFunction } from "./database-function.ts";

export const forgetOwnedTranscripts: DatabaseFunction = {
  name: "forget_owned_transcripts",
  sql: `
create or replace function forget_owned_transcripts() returns trigger language plpgsql as $$
-- A transcript that nobody else has goes with its script.
begin
  delete from transcript where owner is not null and id in (select transcript_id from removed);
  return null;
end
$$;
`,
  triggers: [
    {
      name: "script_removed_owned",
      table: "script",
      sql: `
create trigger script_removed_owned after delete on script referencing old table as removed
for each statement execute function forget_owned_transcripts();
`,
    },
  ],
};
