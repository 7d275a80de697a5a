export const sentHours = `
-- How many bytes of media an account sent since the first of an hour, whatever became of them.
create table sent_hour (
  account_id text primary key references account on delete cascade,
  since timestamptz not null,
  bytes bigint not null
);
`;
