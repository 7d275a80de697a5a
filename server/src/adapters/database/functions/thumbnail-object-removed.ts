import type { DatabaseFunction } from "./database-function.ts";

export const thumbnailObjectRemoved: DatabaseFunction = {
  name: "thumbnail_object_removed",
  sql: `
create or replace function thumbnail_object_removed() returns trigger language plpgsql as $$
-- Whoever deletes a thumbnail leaves its object to be removed.
begin
  insert into removed_object (name) values (old.object) on conflict (name) do nothing;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "thumbnail_object_removed",
      table: "thumbnail",
      sql: `
create trigger thumbnail_object_removed after delete on thumbnail
  for each row when (old.object is not null) execute function thumbnail_object_removed();
`,
    },
  ],
};
