import type { DatabaseFunction } from "./database-function.ts";

export const fileObjectsRemoved: DatabaseFunction = {
  name: "file_objects_removed",
  sql: `
create or replace function file_objects_removed() returns trigger language plpgsql as $$
-- Whoever deletes parts leaves their objects to be removed.
begin
  insert into removed_object (name) select object from removed where object is not null on conflict (name) do nothing;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "file_objects_removed",
      table: "file_part",
      sql: `
create trigger file_objects_removed after delete on file_part
  referencing old table as removed for each statement execute function file_objects_removed();
`,
    },
    {
      name: "video_objects_removed",
      table: "video_part",
      sql: `
create trigger video_objects_removed after delete on video_part
  referencing old table as removed for each statement execute function file_objects_removed();
`,
    },
  ],
};
