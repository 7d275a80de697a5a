import type { Pool } from "pg";
import type { RateBucket, RateLimits, RateState } from "../../ports.ts";
import { rowsOf, type Statement } from "./statement.ts";

const bits: Record<RateBucket["name"], number> = { default: 1, transcribe: 2, bioWrite: 4, address: 8 };

interface StatesRow {
  used: number[];
  reset_seconds: number[];
}

const takeCall: Statement = {
  name: "take-call",
  text: "select taken, used, reset_seconds from take_call($1, $2::integer[], $3::integer[], $4::timestamptz)",
};

const peekCalls: Statement = {
  name: "peek-calls",
  text: `
    select states.used, states.reset_seconds
    from rate_limit as call_log, rate_limit_states(call_log, $2::integer[], $3::integer[], $4::timestamptz) as states
    where call_log.subject = $1`,
};

const forgetIdleSubjects: Statement = {
  name: "forget-idle-subjects",
  text: "delete from rate_limit where at[cardinality(at)] <= $1::timestamptz - interval '1 hour'",
};

const parameters = (subject: string, buckets: readonly RateBucket[], now: Date) => [
  subject,
  buckets.map((bucket) => bits[bucket.name]),
  buckets.map((bucket) => bucket.limit),
  now,
];

const toStates = (buckets: readonly RateBucket[], row: StatesRow | undefined): RateState[] =>
  buckets.map((bucket, index) => ({
    bucket,
    remaining: Math.max(0, bucket.limit - (row?.used[index] ?? 0)),
    resetSeconds: Math.max(0, row?.reset_seconds[index] ?? 0),
  }));

export interface KeptRateLimits extends RateLimits {
  /** Removes subjects that did not call for an hour, as of the latest call. */
  forgetIdle(): Promise<void>;
}

export function createRateLimits(pool: Pool): KeptRateLimits {
  let latest: Date | undefined;
  return {
    async take(subject, buckets, now) {
      if (!latest || now > latest) latest = now;
      if (buckets.length === 0) return { taken: true, states: [] };
      const [row] = await rowsOf<StatesRow & { taken: boolean }>(pool, takeCall, parameters(subject, buckets, now));
      return { taken: row?.taken ?? false, states: toStates(buckets, row) };
    },
    async peek(subject, buckets, now) {
      if (buckets.length === 0) return [];
      const [row] = await rowsOf<StatesRow>(pool, peekCalls, parameters(subject, buckets, now));
      return toStates(buckets, row);
    },
    async forgetIdle() {
      if (latest) await rowsOf(pool, forgetIdleSubjects, [latest]);
    },
  };
}
