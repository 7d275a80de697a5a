export const platformTurns = `
-- From when on each exit, which is an address of ours, may ask a platform again.
create table platform_turn (
  platform text not null,
  exit text not null,
  free_at timestamptz not null,
  primary key (platform, exit)
) with (fillfactor = 50);

-- Of one that is running: whether it waits for its turn.
alter table transcription add column waits boolean not null default false;
`;
