export const bioTotals = `
-- What is left of a day's events when they are folded.
create table bio_day (
  bio_id text not null references bio_page on delete cascade,
  day date not null,
  views bigint not null,
  clicks bigint not null,
  visitors bigint not null,
  clickers bigint not null,
  primary key (bio_id, day)
);

create table bio_day_link (
  bio_id text not null references bio_page on delete cascade,
  day date not null,
  link_id text not null references bio_link on delete cascade,
  clicks bigint not null,
  primary key (bio_id, day, link_id)
);

-- The value is empty where nothing is known. 'rest' is of the sites beyond the most frequent ones, whose names are dropped.
create table bio_day_view (
  bio_id text not null references bio_page on delete cascade,
  day date not null,
  kind text not null check (kind in ('referrer', 'rest', 'country', 'device')),
  value text not null,
  views bigint not null,
  primary key (bio_id, day, kind, value)
);

-- Finds what is to be folded next.
create index bio_event_fold on bio_event (day, bio_id);
create index bio_recent_click_end on bio_recent_click (at);
`;
