import type { DatabaseFunction } from "./database-function.ts";

export const shareTranscript: DatabaseFunction = {
  name: "share_transcript",
  sql: `
create or replace function share_transcript(of_platform text, of_media_id text, brought tsvector) returns void
language plpgsql as $$
-- As soon as everybody has a reel, those who sent it have what everybody has. Their scripts keep their ids, deleted ones too.
-- brought: what finds everybody's transcript, if the caller knows.
declare
  everybodys record;
  owned record;
  kept bigint;
begin
  select * into everybodys from transcript
  where platform = of_platform and media_id = of_media_id and owner is null;
  if not found then
    return;
  end if;
  for owned in
    select * from transcript
    where platform = of_platform and media_id = of_media_id and owner is not null
    order by owner
  loop
    if exists (select from script where account_id = owned.owner and transcript_id = owned.id) then
      delete from script where account_id = owned.owner and transcript_id = everybodys.id;
      update script set transcript_id = everybodys.id, views = everybodys.views,
        engagement_rate = everybodys.engagement_rate, handle = everybodys.handle
      where account_id = owned.owner and transcript_id = owned.id
      returning number into kept;
      perform index_scripts_2(array[kept], brought);
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
end
$$;
`,
};
