import type { DatabaseFunction } from "./database-function.ts";

export const replaceOwnedTranscripts: DatabaseFunction = {
  name: "replace_owned_transcripts",
  sql: `
create or replace function replace_owned_transcripts() returns trigger language plpgsql as $$
-- As soon as everybody has a reel, those who sent it have what everybody has. Their scripts keep their ids, deleted ones too.
declare
  everybodys record;
  owned record;
  kept bigint;
begin
  select * into everybodys from transcript
  where platform = new.platform and media_id = new.media_id and owner is null;
  if not found then
    return null;
  end if;
  for owned in
    select * from transcript
    where platform = new.platform and media_id = new.media_id and owner is not null
    order by owner
  loop
    if exists (select from script where account_id = owned.owner and transcript_id = owned.id) then
      delete from script where account_id = owned.owner and transcript_id = everybodys.id;
      update script set transcript_id = everybodys.id, views = everybodys.views,
        engagement_rate = everybodys.engagement_rate, handle = everybodys.handle
      where account_id = owned.owner and transcript_id = owned.id
      returning number into kept;
      perform index_scripts(array[kept]);
    end if;
    if exists (select from deleted_script where account_id = owned.owner and transcript_id = owned.id) then
      delete from script where number in (
        select number from deleted_script where account_id = owned.owner and transcript_id = everybodys.id
      );
      update script set transcript_id = everybodys.id, views = everybodys.views,
        engagement_rate = everybodys.engagement_rate, handle = everybodys.handle
      where account_id is null and transcript_id = owned.id;
      update deleted_script set transcript_id = everybodys.id
      where account_id = owned.owner and transcript_id = owned.id;
    end if;
    delete from transcript where id = owned.id;
  end loop;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "transcript_replaces",
      table: "transcript",
      sql: `
create trigger transcript_replaces after insert on transcript
  for each row execute function replace_owned_transcripts();
`,
    },
  ],
};
