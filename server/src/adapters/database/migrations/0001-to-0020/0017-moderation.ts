export const moderation = `
-- Reels that may not come back, whoever asks.
create table takedown (
  platform text not null,
  media_id text not null,
  url text not null,
  at timestamptz not null,
  primary key (platform, media_id)
);

-- What operators did to what is others', and why. Nothing here is ever changed.
create table audit (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null check (action in ('takeDownReel', 'allowReel', 'suspendAccount', 'unsuspendAccount')),
  subject text not null,
  reason text not null
);

alter table account add column suspended_at timestamptz;

-- For those that asked before it was forbidden and write after it; the one who forbids waits for them and they for him.
create function refuse_transcription() returns trigger language plpgsql as $$
begin
  if exists (select from takedown where platform = new.platform and media_id = new.media_id) then
    raise exception 'the reel was taken down' using errcode = 'RS001';
  end if;
  if exists (select from account where id = new.account_id and suspended_at is not null) then
    raise exception 'the account is suspended' using errcode = 'RS002';
  end if;
  return new;
end
$$;
create trigger transcription_allowed before insert on transcription for each row execute function refuse_transcription();

create function skip_taken_down() returns trigger language plpgsql as $$
begin
  if exists (select from takedown where platform = new.platform and media_id = new.media_id) then
    return null;
  end if;
  return new;
end
$$;
create trigger thumbnail_allowed before insert on thumbnail for each row execute function skip_taken_down();
create trigger transcript_allowed before insert on transcript for each row execute function skip_taken_down();

-- For what is forgotten by its age.
create index thumbnail_made_at on thumbnail (made_at);
create index api_key_revoked_at on api_key (revoked_at) where revoked_at is not null;

-- ID tokens are sealed from now on; those that were kept as they came are forgotten.
update session set id_token = null where id_token is not null;
`;
