import type { Allowances, UsedBySlot } from "../../../ports.ts";
import { isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";

const readAllowance = statement(
  "select used, held from allowance where account_id = :accountId and slot = :slot and period = :period",
).reading({ used: isNumber, held: isNumber });

const readOfAccounts = statement(`
  select account_id, slot, used, held
  from unnest(:accountIds::text[], :periods::text[]) as wanted (account_id, period)
  join allowance using (account_id, period)
  where slot between 0 and :lastSlot::integer
  order by account_id, slot`).reading({ accountId: isText, slot: isNumber, used: isNumber, held: isNumber });

/**
 * One statement, so that the days never add up to more than the total. It names any slot, so that the index of holds applies.
 */
const listUse = statement(`
  select a.slot, a.used, h.day, coalesce(h.units, 0)::integer as units, h.first_at, h.last_at
  from allowance as a left join lateral (
    select (held_at at time zone 'UTC')::date::text as day, sum(units) as units, min(held_at) as first_at, max(held_at) as last_at
    from hold
    where account_id = a.account_id and slot = a.slot and period = a.period and state = 'charged'
    group by 1
  ) as h on true
  where a.account_id = :accountId and a.period = :period and a.slot between 0 and :lastSlot::integer
  order by a.slot, h.day`).reading({
  slot: isNumber,
  used: isNumber,
  day: orNull(isText),
  units: isNumber,
  firstAt: orNull(isMoment),
  lastAt: orNull(isMoment),
});

/** Periods are named by their start, so that names sort in order, except for the lifetime period. */
const findPeriodBefore = statement(`
  select period from allowance
  where account_id = :accountId and slot between 0 and :lastSlot::integer and used > 0
    and period <> :period and (period < :period or period = 'lifetime')
  order by period = 'lifetime', period desc limit 1`).reading({ period: isText });

/** A subscription that is over was last read when it ended; one that is paid late is due again before that. */
const findEndOfPaidPeriod = statement(`
  select least(
    next.starts_at,
    case when next.subscription_id is distinct from paid.subscription_id then s.period_end end,
    case when next.subscription_id is distinct from paid.subscription_id and s.status in ('canceled', 'incomplete_expired')
      then s.read_at end
  ) as ends_at
  from payment as paid left join subscription as s on s.id = paid.subscription_id
  left join lateral (
    select starts_at, subscription_id from payment
    where account_id = paid.account_id and starts_at > paid.starts_at order by starts_at limit 1
  ) as next on true
  where paid.account_id = :accountId and paid.starts_at = :startsAt::timestamptz limit 1`).reading({
  endsAt: orNull(isMoment),
});

export const createAllowances = (database: Database): Allowances => ({
  ofAccounts: (periods, lastSlot) =>
    readOfAccounts.rows(database, {
      accountIds: periods.map(({ accountId }) => accountId),
      periods: periods.map(({ period }) => period),
      lastSlot,
    }),
  async bySlot(accountId, period, lastSlot) {
    const bySlot = new Map<number, Used>();
    for (const row of await listUse.rows(database, { accountId, period, lastSlot })) {
      const { slot, used, day, units, firstAt, lastAt } = row;
      const slotUse = bySlot.get(slot) ?? { slot, used, byDay: new Map(), firstAt, lastAt: null };
      if (day !== null) slotUse.byDay.set(day, units);
      bySlot.set(slot, { ...slotUse, lastAt });
    }
    return [...bySlot.values()];
  },
  periodBefore: async (accountId, period, lastSlot) =>
    (await findPeriodBefore.row(database, { accountId, period, lastSlot }))?.period,
  endOfPaidPeriod: async (accountId, startsAt) =>
    (await findEndOfPaidPeriod.row(database, { accountId, startsAt }))?.endsAt ?? undefined,
  read: async ({ accountId, slot }, period) =>
    (await readAllowance.row(database, { accountId, slot, period })) ?? { used: 0, held: 0 },
});

type Used = UsedBySlot & { readonly byDay: Map<string, number> };
