import type { Allowances } from "../../../ports.ts";
import { isNumber, isText, orNull } from "../engine/columns.ts";
import { rowOf, rowsOf, statement, type Database } from "../engine/statement.ts";

const readAllowance = statement(
  "read-allowance",
  "select used, held from allowance where account_id = :accountId and slot = :slot and period = :period",
  { used: isNumber, held: isNumber },
);

/** One statement, so that the days never add up to more than was used. Any slot, so that the index of holds serves. */
const listUse = statement(
  "list-use-by-day",
  `
    select a.slot, a.used, h.day, coalesce(h.units, 0)::integer as units
    from allowance as a left join lateral (
      select (held_at at time zone 'UTC')::date::text as day, count(*) as units from hold
      where account_id = a.account_id and slot = a.slot and period = a.period and state = 'charged'
      group by 1
    ) as h on true
    where a.account_id = :accountId and a.period = :period and a.slot between 0 and 5
    order by a.slot, h.day`,
  { slot: isNumber, used: isNumber, day: orNull(isText), units: isNumber },
);

/** Periods are named by their beginning; the one without is named so that it comes after all of them. */
const findPeriodBefore = statement(
  "find-period-before",
  `
    select max(period) as period from allowance
    where account_id = :accountId and period < :period and period < 'lifetime' and used > 0`,
  { period: orNull(isText) },
);

export const createAllowances = (database: Database): Allowances => ({
  async bySlot(accountId, period) {
    const bySlot = new Map<number, { slot: number; used: number; byDay: Map<string, number> }>();
    for (const { slot, used, day, units } of await rowsOf(database, listUse, { accountId, period })) {
      const found = bySlot.get(slot) ?? { slot, used, byDay: new Map<string, number>() };
      if (day !== null) found.byDay.set(day, units);
      bySlot.set(slot, found);
    }
    return [...bySlot.values()];
  },
  periodBefore: async (accountId, period) =>
    (await rowOf(database, findPeriodBefore, { accountId, period }))?.period ?? undefined,
  read: async ({ accountId, slot }, period) =>
    (await rowOf(database, readAllowance, { accountId, slot, period })) ?? { used: 0, held: 0 },
});
