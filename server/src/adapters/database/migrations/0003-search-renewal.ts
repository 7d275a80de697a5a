export const searchRenewal = `
-- How far tokens of earlier rules were made again: rows of subject up to the number after have those of revision.
create table search_renewal (
  subject text primary key check (subject in ('transcript', 'script_correction')),
  revision integer not null,
  after bigint not null
);
`;
