export const listBioPage = `
create function list_bio_page() returns trigger language plpgsql as $$
-- Keeps bio_listed in step with what pages say of themselves.
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
