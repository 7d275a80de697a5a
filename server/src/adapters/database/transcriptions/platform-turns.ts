import type { PlatformTurns } from "../../../ports.ts";
import { isMoment, isText } from "../engine/columns.ts";
import { rowOf, statement, type Database } from "../engine/statement.ts";

/** Nobody reserves so far ahead: a clock was wrong, and must not hold everybody up. */
const incredible = "interval '1 hour'";

const takeTurns = statement(
  "take-platform-turns",
  `
    insert into platform_turn as taken (platform, exit, free_at)
    select :platform, asked.exit, :now::timestamptz + make_interval(secs => :reservedSeconds::float8)
    from unnest(:exits::text[]) with ordinality as asked (exit, place)
    left join platform_turn as known on known.platform = :platform and known.exit = asked.exit
      and known.free_at <= :now::timestamptz + ${incredible}
    -- Of several that are free, the one that has rested longest.
    order by greatest(known.free_at, :now::timestamptz), known.free_at nulls first, asked.place
    limit 1
    on conflict (platform, exit) do update
    set free_at = make_interval(secs => :reservedSeconds::float8) + case
      when taken.free_at > :now::timestamptz + ${incredible} then :now::timestamptz
      else greatest(taken.free_at, :now::timestamptz)
    end
    where taken.free_at <= :now::timestamptz + make_interval(secs => :withinSeconds::float8)
      or taken.free_at > :now::timestamptz + ${incredible}
    returning exit, free_at - make_interval(secs => :reservedSeconds::float8) as begins_at`,
  { exit: isText, begins_at: isMoment },
);

export const createPlatformTurns = (database: Database): PlatformTurns => ({
  async take({ turns, intervalSeconds, ...wish }) {
    const row = await rowOf(database, takeTurns, { ...wish, reservedSeconds: turns * intervalSeconds });
    return row && { exit: row.exit, beginsAt: row.begins_at };
  },
});
