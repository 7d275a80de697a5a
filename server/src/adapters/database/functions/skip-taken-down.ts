import type { DatabaseFunction } from "./database-function.ts";

export const skipTakenDown: DatabaseFunction = {
  name: "skip_taken_down",
  sql: `
create or replace function skip_taken_down() returns trigger language plpgsql as $$
-- Keeps nothing of a reel that was taken down.
begin
  if exists (select from takedown where platform = new.platform and media_id = new.media_id) then
    return null;
  end if;
  return new;
end
$$;
`,
  triggers: [
    {
      name: "thumbnail_allowed",
      table: "thumbnail",
      sql: `
create trigger thumbnail_allowed before insert on thumbnail for each row execute function skip_taken_down();
`,
    },
    {
      name: "transcript_allowed",
      table: "transcript",
      sql: `
create trigger transcript_allowed before insert on transcript for each row execute function skip_taken_down();
`,
    },
  ],
};
