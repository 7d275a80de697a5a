import type { DatabaseFunction } from "../database-function.ts";

export const claimTranscription: DatabaseFunction = {
  name: "claim_transcription",
  sql: `
create or replace function claim_transcription(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean
) returns setof transcription language plpgsql as $$
-- Processes of the release before call it.
begin
  return query select * from claim_next(worker_name, lease_seconds, moment, alone, '{}');
end
$$;
`,
};
