import type { DatabaseFunction } from "./database-function.ts";

export const forgetInterimText: DatabaseFunction = {
  name: "forget_interim_text",
  sql: `
create or replace function forget_interim_text() returns trigger language plpgsql as $$
-- What an attempt recognized so far is gone when the attempt ends. end_transcription does it itself.
begin
  delete from interim_text where transcription_id = new.id;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "transcription_interim_text_2",
      table: "transcription",
      sql: `
create trigger transcription_interim_text_2 after update of state, attempt on transcription
  for each row when (old.state = 'running' and (new.state <> 'running' or new.attempt <> old.attempt) and not new.ended_by_function)
  execute function forget_interim_text();
`,
    },
  ],
};
