/** Processes compare their machines' clocks by how far the server's is ahead of each. */
export const clocksOfMachines = `
-- A row for each process. seen_at is the server's time, which is only compared with itself.
create table machine_clock (
  name text primary key,
  server_ahead double precision not null,
  seen_at timestamptz not null
) with (fillfactor = 50);
`;
