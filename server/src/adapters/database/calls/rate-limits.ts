import type { RateBucket, RateLimits, RateState } from "../../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { isBoolean, isListOf, isNumber } from "../engine/columns.ts";
import { statement, type RowOf } from "../engine/statement.ts";

/** Positions in a row's sums; a bucket's bit is 1 shifted by its position minus one. */
const bucketNumbers: Record<RateBucket["name"], number> = { default: 1, transcribe: 2, bioWrite: 3, address: 4 };

const states = { remaining: isListOf(isNumber), resetSeconds: isListOf(isNumber) };

/** Doesn't wait for the disk, which would take most of a request's time: a crash may lose the last second's calls. */
const takeCall = statement(`
  select taken, remaining, reset_seconds
  from take_call(:subject, :buckets::integer[], :limits::integer[], :now::timestamptz, true),
    set_config('synchronous_commit', 'off', true)`).reading({ taken: isBoolean, ...states });

const peekCalls = statement(`
  select remaining, reset_seconds
  from take_call(:subject, :buckets::integer[], :limits::integer[], :now::timestamptz, false)`).reading(states);

const callOf = (subject: string, buckets: readonly RateBucket[], now: Date) => ({
  subject,
  buckets: buckets.map((bucket) => bucketNumbers[bucket.name]),
  limits: buckets.map((bucket) => bucket.limit),
  now,
});

const toStates = (buckets: readonly RateBucket[], row: RowOf<typeof states>): RateState[] =>
  buckets.map((bucket, index) => ({
    bucket,
    remaining: row.remaining[index] ?? 0,
    resetSeconds: row.resetSeconds[index] ?? 0,
  }));

export const createRateLimits = ({ pool, flushSoon }: Engine): RateLimits => ({
  async take(subject, buckets, now) {
    if (buckets.length === 0) return { taken: true, states: [] };
    const row = await takeCall.onlyRow(pool, callOf(subject, buckets, now));
    flushSoon();
    return { taken: row.taken, states: toStates(buckets, row) };
  },
  async peek(subject, buckets, now) {
    if (buckets.length === 0) return [];
    return toStates(buckets, await peekCalls.onlyRow(pool, callOf(subject, buckets, now)));
  },
});
