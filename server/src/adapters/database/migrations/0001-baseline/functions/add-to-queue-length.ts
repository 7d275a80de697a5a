export const addToQueueLength = `
create function add_to_queue_length(account text, change integer) returns void
language plpgsql as $$
-- Changes the part of the queue's length that counts this account.
begin
  update queue_length set open = open + change where part = (hashtext(account) & 15);
end
$$;
`;
