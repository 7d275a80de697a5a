export const removedAccounts = `
-- The ids of accounts that were deleted, and nothing else of them. What is still paid for one of these is ended; what is
-- paid for an account that was never here belongs to another service of the same biller.
create table removed_account (id text primary key);
`;
