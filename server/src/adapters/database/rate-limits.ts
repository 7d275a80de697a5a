import type { RateBucket, RateLimits, RateState } from "../../ports.ts";
import type { Engine } from "./engine.ts";
import { rowsOf, type Statement } from "./statement.ts";

/** Their places in a row's sums; the bit of a bucket is one shifted by its place less one. */
const places: Record<RateBucket["name"], number> = { default: 1, transcribe: 2, bioWrite: 3, address: 4 };

interface StatesRow {
  remaining: number[];
  reset_seconds: number[];
}

/** Not waiting for the disk, which would be most of a request's time: a crash may forget the last second's calls. */
const takeCall: Statement = {
  name: "take-call",
  text: `
    select taken, remaining, reset_seconds
    from take_call($1, $2::integer[], $3::integer[], $4::timestamptz), set_config('synchronous_commit', 'off', true)`,
};

const peekCalls: Statement = {
  name: "peek-calls",
  text: `
    select array_agg(state.remaining order by state.place) as remaining,
      array_agg(state.reset_seconds order by state.place) as reset_seconds
    from (
      select asked.place,
        greatest(asked.most - coalesce(max(counted.total), 0), 0)::integer as remaining,
        coalesce(
          extract(epoch from min(counted.at) filter (where counted.running > counted.total - asked.most)
            - $4::timestamptz) + 3600,
          0
        )::double precision as reset_seconds
      from unnest($2::integer[], $3::integer[]) with ordinality as asked (bucket, most, place)
      left join lateral (
        select call.at,
          sum(call.calls) over (order by call.place) as running,
          sum(call.calls) over () as total
        from rate_limit as r, unnest(r.at, r.buckets, r.calls) with ordinality as call (at, buckets, calls, place)
        where r.subject = $1 and call.buckets & (1 << (asked.bucket - 1)) <> 0
          and call.at > $4::timestamptz - interval '1 hour'
      ) as counted on true
      group by asked.place, asked.most
    ) as state`,
};

const forgetIdleSubjects: Statement = {
  name: "forget-idle-subjects",
  text: "delete from rate_limit where at[cardinality(at)] <= $1::timestamptz - interval '1 hour'",
};

const parameters = (subject: string, buckets: readonly RateBucket[], now: Date) => [
  subject,
  buckets.map((bucket) => places[bucket.name]),
  buckets.map((bucket) => bucket.limit),
  now,
];

const toStates = (buckets: readonly RateBucket[], row: StatesRow): RateState[] =>
  buckets.map((bucket, index) => ({
    bucket,
    remaining: row.remaining[index] ?? 0,
    resetSeconds: row.reset_seconds[index] ?? 0,
  }));

export interface KeptRateLimits extends RateLimits {
  /** Removes subjects that did not call for an hour, as of the latest call. */
  readonly forgetIdle: () => Promise<void>;
}

export function createRateLimits({ pool, flushSoon }: Pick<Engine, "pool" | "flushSoon">): KeptRateLimits {
  let latest: Date | undefined;
  return {
    async take(subject, buckets, now) {
      if (!latest || now > latest) latest = now;
      if (buckets.length === 0) return { taken: true, states: [] };
      const [row] = await rowsOf<StatesRow & { taken: boolean }>(pool, takeCall, parameters(subject, buckets, now));
      if (!row) throw new Error("The database answered nothing");
      flushSoon();
      return { taken: row.taken, states: toStates(buckets, row) };
    },
    async peek(subject, buckets, now) {
      if (buckets.length === 0) return [];
      const [row] = await rowsOf<StatesRow>(pool, peekCalls, parameters(subject, buckets, now));
      if (!row) throw new Error("The database answered nothing");
      return toStates(buckets, row);
    },
    async forgetIdle() {
      if (latest) await rowsOf(pool, forgetIdleSubjects, [latest]);
    },
  };
}
