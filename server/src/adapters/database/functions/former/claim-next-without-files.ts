import type { DatabaseFunction } from "../database-function.ts";

export const claimNextWithoutFiles: DatabaseFunction = {
  name: "claim_next",
  sql: `
create or replace function claim_next(
  worker_name text, lease_seconds double precision, moment timestamptz, alone boolean, away text[], reads_objects boolean
) returns setof transcription language plpgsql as $$
-- Processes of the release before call it. They know nothing of files and would find no bytes.
begin
  return query select * from claim_next(worker_name, lease_seconds, moment, alone, away, reads_objects, false);
end
$$;
`,
};
