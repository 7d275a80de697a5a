import type { DatabaseFunction } from "../database-function.ts";

export const replaceOwnedTranscripts: DatabaseFunction = {
  name: "replace_owned_transcripts",
  sql: `
create or replace function replace_owned_transcripts() returns trigger language plpgsql as $$
-- For processes of the release before, which have the tokens in a setting of their transaction. Others have shared the
-- transcript by now.
begin
  perform share_transcript(new.platform, new.media_id, nullif(current_setting('reelscript.tokens', true), '')::tsvector);
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
