export const pictures = `
-- The bytes of a picture are here, or in an object storage under a name. WebP and JPEG are compressed already, so the
-- database need not try.
create table thumbnail (
  platform text not null,
  media_id text not null,
  bytes bytea,
  object text,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  made_at timestamptz not null,
  primary key (platform, media_id),
  check ((bytes is null) <> (object is null))
);
alter table thumbnail alter column bytes set storage external;
create index thumbnail_made_at on thumbnail (made_at);

-- The names in an object storage begin with "object". used_at, checked_at: when a page was last found to show the image,
-- and when that was last looked at.
create table bio_image (
  id text primary key,
  account_id text not null references account on delete cascade,
  large_webp bytea,
  large_jpg bytea,
  small_webp bytea,
  small_jpg bytea,
  object text,
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

-- Objects whose rows are gone, to be removed: no transaction reaches into an object storage.
create table removed_object (
  name text primary key,
  not_before timestamptz not null default '-infinity'
);
create index removed_object_next on removed_object (not_before);
`;
