export const thumbnails = `
-- WebP is compressed already, so the database need not try.
create table thumbnail (
  platform text not null,
  media_id text not null,
  bytes bytea not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  made_at timestamptz not null,
  primary key (platform, media_id)
);
alter table thumbnail alter column bytes set storage external;
`;
