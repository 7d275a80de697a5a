export const skipTakenDown = `
create function skip_taken_down() returns trigger language plpgsql as $$
-- Keeps nothing of a reel that was taken down.
begin
  if exists (select from takedown where platform = new.platform and media_id = new.media_id) then
    return null;
  end if;
  return new;
end
$$;
create trigger thumbnail_allowed before insert on thumbnail for each row execute function skip_taken_down();
create trigger transcript_allowed before insert on transcript for each row execute function skip_taken_down();
`;
