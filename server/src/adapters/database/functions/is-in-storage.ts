import type { DatabaseFunction } from "./database-function.ts";

export const isInStorage: DatabaseFunction = {
  name: "is_in_storage",
  sql: `
create or replace function is_in_storage(transcribed text) returns boolean language plpgsql stable as $$
-- True if the media that were sent for a transcription are in an object storage: all their parts, or none.
begin
  return exists (
    select from sent_media as m join sent_media_part as p on p.media_id = m.id
    where m.transcription_id = transcribed and p.number = 0 and p.object is not null
  );
end
$$;
`,
};
