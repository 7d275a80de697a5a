export const bioImages = `
-- The bytes of an image are here, or in an object storage under names that begin with "object". They are compressed already.
create table bio_image (
  id text primary key,
  account_id text not null references account on delete cascade,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  large_webp bytea,
  large_jpg bytea,
  small_webp bytea,
  small_jpg bytea,
  object text,
  made_at timestamptz not null,
  -- When a page was last found to show it, and when that was last looked at.
  used_at timestamptz not null,
  checked_at timestamptz not null,
  check (object is not null or (
    large_webp is not null and large_jpg is not null and small_webp is not null and small_jpg is not null
  ))
);
alter table bio_image alter column large_webp set storage external;
alter table bio_image alter column large_jpg set storage external;
alter table bio_image alter column small_webp set storage external;
alter table bio_image alter column small_jpg set storage external;
create index bio_image_account on bio_image (account_id);
create index bio_image_check on bio_image (checked_at);

create function bio_image_objects_removed() returns trigger language plpgsql as $$
begin
  insert into removed_object (name)
  select old.object || '.' || form from unnest(array['large.webp', 'large.jpg', 'small.webp', 'small.jpg']) as form
  on conflict (name) do nothing;
  return null;
end $$;
create trigger bio_image_objects_removed after delete on bio_image
  for each row when (old.object is not null) execute function bio_image_objects_removed();
`;
