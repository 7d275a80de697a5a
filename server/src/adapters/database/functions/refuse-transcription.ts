import type { DatabaseFunction } from "./database-function.ts";

export const refuseTranscription: DatabaseFunction = {
  name: "refuse_transcription",
  sql: `
create or replace function refuse_transcription() returns trigger language plpgsql as $$
-- Refuses reels that were taken down and suspended accounts: a caller may have asked before that and write after it. The
-- operator's decision locks the table, so each waits for the other.
begin
  if exists (select from takedown where platform = new.platform and media_id = new.media_id) then
    raise exception 'the reel was taken down' using errcode = 'RS001';
  end if;
  if exists (select from account where id = new.account_id and suspended_at is not null) then
    raise exception 'the account is suspended' using errcode = 'RS002';
  end if;
  return new;
end
$$;
`,
  triggers: [
    {
      name: "transcription_allowed",
      table: "transcription",
      sql: `
create trigger transcription_allowed before insert on transcription for each row execute function refuse_transcription();
`,
    },
  ],
};
