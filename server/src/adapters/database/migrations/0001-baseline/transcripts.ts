export const transcripts = `
-- The shared cache. owner: the one account that may read it, because it was made of media that its browser sent, or because
-- its language hint decided the text; null for everybody. handle: of the reel's account, as the platform writes it.
-- words: three numbers for each word, its length in the text and its start and end in milliseconds; null when the times of
-- words aren't known. heard_by: every recognizer that transcribed the reel ("revision model"), whether its text was kept
-- or not.
create table transcript (
  id bigint generated always as identity primary key,
  platform text not null,
  media_id text not null,
  owner text references account on delete cascade,
  reel json not null,
  handle text,
  text text not null,
  segments json not null,
  words integer[],
  gaps json not null,
  language text not null,
  language_probability double precision,
  seconds double precision not null,
  speech_seconds double precision not null,
  truncated boolean not null,
  model text not null,
  revision integer not null,
  heard_by text[] not null default '{}',
  created_at timestamptz not null,
  views bigint,
  engagement_rate double precision,
  tokens tsvector not null,
  unique nulls not distinct (platform, media_id, owner)
);
create index transcript_owner on transcript (owner) where owner is not null;

-- What a recognizer can't transcribe isn't tried with it again until then. owner as in transcript.
create table refusal (
  platform text not null,
  media_id text not null,
  owner text references account on delete cascade,
  model text not null,
  until timestamptz not null,
  failure json not null,
  unique nulls not distinct (platform, media_id, owner, model)
);
create index refusal_owner on refusal (owner) where owner is not null;

-- Reels that may not come back, whoever requests them.
create table takedown (
  platform text not null,
  media_id text not null,
  primary key (platform, media_id)
);

-- What operators did to what belongs to others, and why. Nothing here is ever changed.
create table audit (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null check (action in (
    'takeDownReel', 'allowReel', 'suspendAccount', 'unsuspendAccount', 'takeDownPage', 'restorePage'
  )),
  subject text not null,
  reason text not null
);
`;
