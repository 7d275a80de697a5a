/** The operator can keep workers from claiming. */
export const drainingQueue = `
-- With a row in it, workers get nothing from the queue. Starts still come in.
create table queue_drain (
  one boolean primary key default true check (one),
  since timestamptz not null
);
`;
