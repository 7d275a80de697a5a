import type { DatabaseFunction } from "./database-function.ts";

export const queueTranslation: DatabaseFunction = {
  name: "queue_translation",
  sql: `
create or replace function queue_translation(
  transcribed text, made bigint, new_id text, source_language text,
  -- False if the language isn't translated, or nothing is said.
  is_translatable boolean,
  moment timestamptz
) returns boolean language plpgsql as $$
-- Queues the translation that a transcription which has just ended asked for. Nothing here may undo its end. The bytes of a file
-- stay for the translation, or go now.
declare
  was transcription;
  own_file file;
  is_queued boolean := false;
begin
  select * into was from transcription where id = transcribed;
  select * into own_file from file where transcription_id = transcribed;
  if coalesce(was.translate_to, own_file.translate_to) is null then return false; end if;
  if is_translatable and made is not null and was.account_id is not null
    and not exists (select from translation where transcript_id = made)
  then
    begin
      insert into transcription (
        id, account_id, platform, media_id, shortcode, url, language_hint, translate_to, translates, queued_at,
        request_id, request_span
      )
      values (
        new_id, was.account_id, was.platform, was.media_id, was.shortcode, was.url, source_language,
        coalesce(was.translate_to, own_file.translate_to), made, moment, was.request_id, was.request_span
      )
      on conflict (platform, media_id, owner) where state in ('queued', 'running') do nothing;
      is_queued := found;
    -- Taken down or suspended meanwhile.
    exception when sqlstate 'RS001' or sqlstate 'RS002' then is_queued := false;
    end;
  end if;
  if is_queued then
    update file set translation_id = new_id where id = own_file.id;
  elsif own_file.id is not null and own_file.kept_until is null then
    perform delete_file_bytes(own_file.id, moment);
  end if;
  return is_queued;
end
$$;
`,
};
