import type { DatabaseFunction } from "./database-function.ts";

export const endFile: DatabaseFunction = {
  name: "end_file",
  sql: `
create or replace function end_file(transcribed text, is_done boolean, moment timestamptz) returns void language plpgsql as $$
-- The bytes of an account's file go when its transcription ends, unless the account keeps them for some days. Whether they are
-- needed for a translation, queue_translation decides.
declare
  ended file;
begin
  update file as f set ended_at = moment,
    kept_until = case when is_done and f.keep_days > 0 then moment + make_interval(days => f.keep_days) end
  where f.transcription_id = transcribed and f.ended_at is null
  returning * into ended;
  if ended.id is not null and ended.kept_until is null and (not is_done or ended.translate_to is null) then
    perform delete_file_bytes(ended.id, moment);
  end if;
end
$$;
`,
};
