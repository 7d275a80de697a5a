/** Files of an account's own in batches. */
export const filesInBatches = `
-- file_id: a file of the account's own, which begins by itself and has the link's state while it waits. Its platform is file from
-- the beginning, so that no release takes it for a share link.
alter table batch_link add column file_id text;
create index batch_link_file on batch_link (batch_id) where file_id is not null and state = 'waiting';
`;
