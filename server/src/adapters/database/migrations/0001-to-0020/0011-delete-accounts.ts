export const deleteAccounts = `
-- What is an account's goes with it. A transcription that is under way goes on for the shared cache, as nobody's.
alter table api_key drop constraint api_key_account_id_fkey, add foreign key (account_id) references account on delete cascade;
alter table allowance drop constraint allowance_account_id_fkey, add foreign key (account_id) references account on delete cascade;
alter table script drop constraint script_account_id_fkey, add foreign key (account_id) references account on delete cascade;
alter table post_allowance drop constraint post_allowance_account_id_fkey, add foreign key (account_id) references account on delete cascade;
alter table report drop constraint report_account_id_fkey, add foreign key (account_id) references account on delete cascade;
alter table idempotent_answer drop constraint idempotent_answer_account_id_fkey, add foreign key (account_id) references account on delete cascade;
alter table hold
  drop constraint hold_transcription_id_fkey,
  drop constraint hold_account_id_slot_period_fkey,
  add foreign key (transcription_id) references transcription on delete cascade,
  add foreign key (account_id, slot, period) references allowance on delete cascade;
alter table transcription
  alter column account_id drop not null,
  drop constraint transcription_account_id_fkey,
  add foreign key (account_id) references account on delete set null;
create index transcription_account on transcription (account_id);

alter table bio_page drop constraint bio_page_account_id_fkey, add foreign key (account_id) references account on delete cascade;
alter table bio_revision drop constraint bio_revision_bio_id_fkey, add foreign key (bio_id) references bio_page on delete cascade;
alter table bio_link drop constraint bio_link_bio_id_fkey, add foreign key (bio_id) references bio_page on delete cascade;
alter table bio_event
  drop constraint bio_event_bio_id_fkey,
  drop constraint bio_event_link_id_fkey,
  add foreign key (bio_id) references bio_page on delete cascade,
  add foreign key (link_id) references bio_link on delete cascade;
alter table bio_recent_click drop constraint bio_recent_click_link_id_fkey, add foreign key (link_id) references bio_link on delete cascade;
alter table bio_exclusion drop constraint bio_exclusion_bio_id_fkey, add foreign key (bio_id) references bio_page on delete cascade;
-- Each link that goes looks for its clicks.
create index bio_event_link on bio_event (link_id) where link_id is not null;
create index bio_day_link_link on bio_day_link (link_id);
`;
