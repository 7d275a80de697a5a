import type { DatabaseFunction } from "./database-function.ts";

export const addToQueueLength: DatabaseFunction = {
  name: "add_to_queue_length",
  sql: `
create or replace function add_to_queue_length(account text, change integer) returns void
language plpgsql as $$
-- Changes the part of the queue's length that counts this account.
begin
  update queue_length set open = open + change where part = (hashtext(account) & 15);
end
$$;
`,
};
