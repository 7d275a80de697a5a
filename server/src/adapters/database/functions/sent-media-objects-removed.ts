import type { DatabaseFunction } from "./database-function.ts";

export const sentMediaObjectsRemoved: DatabaseFunction = {
  name: "sent_media_objects_removed",
  sql: `
create or replace function sent_media_objects_removed() returns trigger language plpgsql as $$
-- Whoever deletes parts leaves their objects to be removed.
begin
  insert into removed_object (name) select object from removed where object is not null on conflict (name) do nothing;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "sent_media_objects_removed",
      table: "sent_media_part",
      sql: `
create trigger sent_media_objects_removed after delete on sent_media_part
  referencing old table as removed for each statement execute function sent_media_objects_removed();
`,
    },
  ],
};
