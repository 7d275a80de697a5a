export const workers = `
-- Who works on the queue, and whether it has lately been able to. The name changes with each start.
create table worker (
  name text primary key,
  seen_at timestamptz not null,
  is_well boolean not null
) with (fillfactor = 50);
`;
