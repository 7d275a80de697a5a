export const bioLinkHealth = `
-- When a link is asked for next, and what was found at which address when it was asked for last.
alter table bio_link add column check_at timestamptz not null default '-infinity';
alter table bio_link add column checked_url text;
alter table bio_link add column problem text check (problem in ('gone', 'unresolved'));
alter table bio_link add column failing_since timestamptz;
create index bio_link_check on bio_link (check_at) where deleted_at is null;
`;
