export const whatOutlives = `
-- Whoever ends the session in which a code was approved ends the code with it.
alter table extension_code add column session_id text references session on delete cascade;
create index extension_code_session on extension_code (session_id);

-- When the bio page of the removed account was taken down, if it was: the page of the next account is, too.
alter table remembered_use add column page_taken_down_at timestamptz;
`;
