import type { DatabaseFunction } from "./database-function.ts";

export const forgetSentMedia: DatabaseFunction = {
  name: "forget_sent_media",
  sql: `
create or replace function forget_sent_media() returns trigger language plpgsql as $$
-- Media that were sent go with their transcription, also when its row goes. end_transcription does it itself.
begin
  delete from sent_media where transcription_id = old.id;
  return null;
end
$$;
`,
  triggers: [
    // For the release before.
    {
      name: "transcription_media_used_2",
      table: "transcription",
      sql: `
create trigger transcription_media_used_2 after update of state on transcription
  for each row when (new.state in ('done', 'failed') and new.owner is not null and not new.ended_by_function)
  execute function forget_sent_media();
`,
    },
    {
      name: "transcription_media_removed",
      table: "transcription",
      sql: `
create trigger transcription_media_removed after delete on transcription
  for each row when (old.owner is not null) execute function forget_sent_media();
`,
    },
  ],
};
