import type { DatabaseFunction } from "./database-function.ts";

export const takeCall: DatabaseFunction = {
  name: "take_call",
  sql: `
create or replace function take_call(
  caller text, asked integer[], limits integer[], moment timestamptz, counting boolean
)
returns table (taken boolean, remaining integer[], reset_seconds double precision[])
language plpgsql as $$
-- Counts one call against every asked bucket (1 to 4) or against none; unless counting, it only looks.
-- Calls are kept one by one while the lowest limit is at most 1000; above it they share 30-second marks, rounded up, so
-- that a row stays small and no hour holds too many.
-- remaining and reset_seconds follow the order of asked; reset_seconds is the time until one more call is free.
declare
  ats timestamptz[];
  masks integer[];
  counts integer[];
  sums integer[];
  expired integer := 0;
  size integer;
  place integer;
  mask integer := 0;
  surplus integer;
  lowest integer;
  mark timestamptz := moment;
  resets double precision[] := '{}';
  rests integer[] := '{}';
begin
  if counting then
    loop
      select r.at, r.buckets, r.calls, r.used into ats, masks, counts, sums
      from rate_limit as r where r.subject = caller for update;
      exit when found;
      insert into rate_limit (subject) values (caller) on conflict (subject) do nothing;
    end loop;
  else
    select r.at, r.buckets, r.calls, r.used into ats, masks, counts, sums
    from rate_limit as r where r.subject = caller;
    if not found then
      ats := '{}'; masks := '{}'; counts := '{}'; sums := '{0,0,0,0}';
    end if;
  end if;

  size := cardinality(ats);
  while expired < size and ats[expired + 1] <= moment - interval '1 hour' loop
    expired := expired + 1;
    for bucket in 1 .. 4 loop
      if masks[expired] & (1 << (bucket - 1)) <> 0 then
        sums[bucket] := sums[bucket] - counts[expired];
      end if;
    end loop;
  end loop;
  if expired > 0 then
    ats := ats[expired + 1 :];
    masks := masks[expired + 1 :];
    counts := counts[expired + 1 :];
    size := size - expired;
  end if;

  taken := counting;
  for i in 1 .. cardinality(asked) loop
    taken := taken and sums[asked[i]] < limits[i];
    mask := mask | (1 << (asked[i] - 1));
    lowest := least(lowest, limits[i]);
  end loop;

  if taken then
    if lowest > 1000 then
      mark := to_timestamp(ceil(extract(epoch from moment) / 30) * 30);
    end if;
    if size > 0 and ats[size] > mark then
      mark := ats[size];
    end if;
    place := size;
    while place > 0 and ats[place] = mark and masks[place] <> mask loop
      place := place - 1;
    end loop;
    if place > 0 and ats[place] = mark then
      counts[place] := counts[place] + 1;
    else
      ats := ats || mark;
      masks := masks || mask;
      counts := counts || 1;
      size := size + 1;
    end if;
    for i in 1 .. cardinality(asked) loop
      sums[asked[i]] := sums[asked[i]] + 1;
    end loop;
    update rate_limit set at = ats, buckets = masks, calls = counts, used = sums where subject = caller;
  end if;

  for i in 1 .. cardinality(asked) loop
    rests := rests || greatest(limits[i] - sums[asked[i]], 0);
    if sums[asked[i]] = 0 then
      resets := resets || 0::double precision;
    else
      -- Normally the oldest call; a later one when the limit was lowered since.
      surplus := greatest(sums[asked[i]] - limits[i], 0);
      place := 0;
      loop
        place := place + 1;
        if masks[place] & (1 << (asked[i] - 1)) <> 0 then
          surplus := surplus - counts[place];
        end if;
        exit when surplus < 0 or place = size;
      end loop;
      resets := resets || (extract(epoch from ats[place] - moment) + 3600)::double precision;
    end if;
  end loop;
  remaining := rests;
  reset_seconds := resets;
  return next;
end
$$;
`,
};
