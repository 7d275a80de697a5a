export const bioBatches = `
-- Batches of counts that were written, so that one whose answer was lost is not written twice.
create table bio_batch (
  id text primary key,
  at timestamptz not null
);
create index bio_batch_end on bio_batch (at);

alter table bio_exclusion
  drop constraint bio_exclusion_reason_check,
  add constraint bio_exclusion_reason_check check (reason in ('bots', 'prefetch', 'owner', 'floods'));
`;
