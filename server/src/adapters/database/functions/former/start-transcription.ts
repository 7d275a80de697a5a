import type { DatabaseFunction } from "../database-function.ts";

export const startTranscriptionOfSettings: DatabaseFunction = {
  name: "start_transcription",
  sql: `
create or replace function start_transcription(
  new_id text, asker text, reel_platform text, reel_media_id text, reel_shortcode text, reel_url text, hint text,
  most_open integer, most_waiting integer, moment timestamptz,
  asker_slot smallint default null, asker_period text default null, most_units integer default null,
  refusal_model text default null,
  sent text default null,
  replaced_transcript bigint default null,
  out answer text, out transcription_id text, out refused json, out units_used integer
) language plpgsql as $$
-- Processes of the release before call it, with the request in settings of their transaction.
begin
  select started.answer, started.transcription_id, started.refused, started.units_used
  into answer, transcription_id, refused, units_used
  from start_transcription_2(
    new_id, asker, reel_platform, reel_media_id, reel_shortcode, reel_url, hint, most_open, most_waiting, moment, asker_slot,
    asker_period, most_units, refusal_model, sent, replaced_transcript,
    nullif(current_setting('reelscript.request_id', true), ''), nullif(current_setting('reelscript.request_span', true), '')
  ) as started;
end
$$;
`,
};
