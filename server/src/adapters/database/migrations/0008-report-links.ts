/** Links of reports, and a reel of each report, by which lists know the platform. */
export const reportLinks = String.raw`
-- It goes with the report and the account. The title is the owner's.
create table report_link (
  number bigint generated always as identity unique,
  id text primary key,
  account_id text not null references account on delete cascade,
  report_number bigint not null unique references report on delete cascade,
  token text not null unique,
  title text,
  created_at timestamptz not null
);
create index report_link_account on report_link (account_id, number);

-- Lists need no more of the reels. In findings of earlier releases, texts may have escapes that the database can't read.
alter table report add column reel_url text generated always as (
  substring(findings::text from '"url"\s*:\s*"([^"\\]*)"')
) stored;
`;
