import type { DatabaseFunction } from "./database-function.ts";

export const deleteFileBytes: DatabaseFunction = {
  name: "delete_file_bytes",
  sql: `
create or replace function delete_file_bytes(of_file text, moment timestamptz) returns void language plpgsql as $$
-- Deletes what is stored of a file, and notes when and how much as a receipt.
begin
  update file as f set deleted_at = moment, deleted_bytes = f.received, kept_until = null, tail = ''
  where f.id = of_file and f.deleted_at is null;
  delete from file_part where file_id = of_file;
end
$$;
`,
};
