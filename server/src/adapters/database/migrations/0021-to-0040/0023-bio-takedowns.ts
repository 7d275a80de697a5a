export const bioTakedowns = `
alter table bio_page add column taken_down_at timestamptz;

alter table audit drop constraint audit_action_check;
alter table audit add constraint audit_action_check check (action in (
  'takeDownReel', 'allowReel', 'suspendAccount', 'unsuspendAccount', 'takeDownPage', 'restorePage'
)) not valid;

-- Pages whose owners want them in the sitemap and let search engines in. Kept by a trigger, because the release before writes
-- pages without knowing of it.
create table bio_listed (
  bio_id text primary key references bio_page on delete cascade
);

create function list_bio_page() returns trigger language plpgsql as $$
begin
  if new.content -> 'seo' ->> 'sitemap' = 'true' and new.content -> 'seo' ->> 'noindex' is distinct from 'true' then
    insert into bio_listed (bio_id) values (new.id) on conflict do nothing;
  else
    delete from bio_listed where bio_id = new.id;
  end if;
  return null;
end
$$;
create trigger bio_page_listed after insert or update of content on bio_page
for each row execute function list_bio_page();
`;
