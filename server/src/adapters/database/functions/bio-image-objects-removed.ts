import type { DatabaseFunction } from "./database-function.ts";

export const bioImageObjectsRemoved: DatabaseFunction = {
  name: "bio_image_objects_removed",
  sql: `
create or replace function bio_image_objects_removed() returns trigger language plpgsql as $$
-- Whoever deletes an image of a bio page leaves its objects to be removed.
begin
  insert into removed_object (name)
  select old.object || '.' || form from unnest(array['large.webp', 'large.jpg', 'small.webp', 'small.jpg']) as form
  on conflict (name) do nothing;
  return null;
end
$$;
`,
  triggers: [
    {
      name: "bio_image_objects_removed",
      table: "bio_image",
      sql: `
create trigger bio_image_objects_removed after delete on bio_image
  for each row when (old.object is not null) execute function bio_image_objects_removed();
`,
    },
  ],
};
