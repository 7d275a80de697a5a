export const idempotentAnswers = `
-- A key of a caller and the answer to its request; without output while the call is under way.
-- at is the moment when the call was begun, or answered.
create table idempotent_answer (
  account_id text not null references account,
  key text not null,
  token text not null unique,
  request bytea not null,
  at timestamptz not null,
  accepted boolean,
  output json,
  primary key (account_id, key),
  check ((accepted is null) = (output is null))
);
create index idempotent_answer_at on idempotent_answer (at);
`;
