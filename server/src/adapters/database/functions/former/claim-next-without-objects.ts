import type { DatabaseFunction } from "../database-function.ts";

export const claimNextWithoutObjects: DatabaseFunction = {
  name: "claim_next",
  sql: `
create or replace function claim_next(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean, away text[]
) returns setof transcription language plpgsql as $$
-- Processes of the release before call it. They would find no bytes in media that are in an object storage.
begin
  return query select * from claim_next(worker_name, lease_seconds, moment, alone, away, false, false);
end
$$;
`,
};
