export const libraries = `
-- What is known of an account's content without reading it. A row comes with the first change, or in the background: as
-- long as there is none, scripts are counted. changes rises with every change of the account's scripts and reports.
-- shelf tells whether the scripts are in shelved_script too: 'filling' while older ones are copied, 'ready' when all are.
create table account_content (
  number bigint generated always as identity unique,
  account_id text primary key references account on delete cascade,
  scripts integer not null default 0 check (scripts >= 0),
  changes bigint not null default 0,
  shelf text not null default 'none' check (shelf in ('none', 'filling', 'ready')),
  shelf_position bigint not null default 0
) with (fillfactor = 70);
create index account_content_to_shelve on account_content (number) where scripts > 1000 and shelf <> 'ready';

-- What searching reads of large libraries, which stands together on the disk once it is packed: a search reads it all.
create table shelved_script (
  number bigint primary key references script on delete cascade,
  library bigint not null,
  added_at timestamptz not null,
  views bigint,
  engagement_rate double precision,
  packed boolean not null,
  tokens tsvector not null
) with (toast_tuple_target = 8160);
alter table shelved_script alter column tokens set storage external;
create index shelved_script_library on shelved_script (library);
create index shelved_script_loose on shelved_script (library) where not packed;

-- Work that one process at a time does beside its service, a batch at a time. position is where it goes on.
create table background_job (
  name text primary key,
  holder text,
  lease_until timestamptz,
  version integer not null default 0,
  position text not null default ''
);

-- Counts a change of an account's content and tells its shelf. Whoever changes a library waits here for the one before.
create function change_content(of_account text, difference integer, out library bigint, out shelf_state text)
language plpgsql as $$
begin
  update account_content set scripts = scripts + difference, changes = changes + 1 where account_id = of_account
  returning number, shelf into library, shelf_state;
  if not found and exists (select from account where id = of_account) then
    insert into account_content as c (account_id, scripts, changes)
    values (of_account, (select count(*) from script where account_id = of_account), 1)
    on conflict (account_id) do update set scripts = c.scripts + difference, changes = c.changes + 1
    returning number, shelf into library, shelf_state;
  end if;
end
$$;

create function count_added_scripts() returns trigger language plpgsql as $$
declare
  one record;
  content record;
begin
  for one in select account_id, count(*)::integer as scripts from added group by account_id order by account_id loop
    content := change_content(one.account_id, one.scripts);
    if content.shelf_state <> 'none' then
      insert into shelved_script (number, library, added_at, views, engagement_rate, packed, tokens)
      select number, content.library, added_at, views, engagement_rate, false, tokens from added
      where account_id = one.account_id
      on conflict (number) do nothing;
    end if;
  end loop;
  return null;
end
$$;
create trigger script_added after insert on script referencing new table as added
for each statement execute function count_added_scripts();

create function count_removed_scripts() returns trigger language plpgsql as $$
declare one record;
begin
  for one in select account_id, count(*)::integer as scripts from removed group by account_id order by account_id loop
    perform change_content(one.account_id, -one.scripts);
  end loop;
  return null;
end
$$;
create trigger script_removed after delete on script referencing old table as removed
for each statement execute function count_removed_scripts();

create function follow_changed_scripts() returns trigger language plpgsql as $$
declare one record;
begin
  for one in
    select a.account_id, array_agg(a.number) as numbers from after_it a join before_it b on b.number = a.number
    where (a.tokens, a.added_at, a.views, a.engagement_rate) is distinct from (b.tokens, b.added_at, b.views, b.engagement_rate)
    group by a.account_id order by a.account_id
  loop
    perform change_content(one.account_id, 0);
    update shelved_script s
    set tokens = a.tokens, added_at = a.added_at, views = a.views, engagement_rate = a.engagement_rate
    from after_it a where a.number = any(one.numbers) and s.number = a.number;
  end loop;
  return null;
end
$$;
create trigger script_changed after update on script referencing old table as before_it new table as after_it
for each statement execute function follow_changed_scripts();

create function count_added_report() returns trigger language plpgsql as $$
begin
  perform change_content(new.account_id, 0);
  return null;
end
$$;
create trigger report_added after insert on report for each row execute function count_added_report();
`;
