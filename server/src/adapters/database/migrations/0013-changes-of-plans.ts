/** Plans that operators give to accounts are recorded, with the reason. */
export const changesOfPlans = `
-- Plans that operators gave to accounts, and why. It continues audit, whose actions the release before checks and reads
-- by a closed list. Nothing here is ever changed.
create table plan_change (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  account_id text not null,
  plan text not null,
  reason text not null
);
`;
