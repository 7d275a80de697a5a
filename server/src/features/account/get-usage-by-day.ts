import { mostUsageDays, ServiceError } from "@reelscript/contract";
import type { Account, Allowances, ApiKey, Clock, Keys, UsedBySlot } from "../../ports.ts";
import { allowanceOf, type QuotaScope } from "../../rules/allowance.ts";
import type { Handler } from "../../run/run.ts";

interface GetUsageByDayNeeds {
  readonly allowances: Allowances;
  readonly keys: Keys;
  readonly quotaScope: QuotaScope;
  readonly clock: Clock;
}

const dayMilliseconds = 86_400_000;
/** Longer than the month of a period, whose last payment may have come late. */
const longestMonth = 31;

export const getUsageByDay =
  ({ allowances, keys, quotaScope, clock }: GetUsageByDayNeeds): Handler<"getUsageByDay"> =>
  async ({ input: { period: which = "current" }, caller: { account } }) => {
    const now = clock.now();
    const current = allowanceOf(account, 0, quotaScope, now);
    const previous = await allowances.periodBefore(account.id, current.period);
    if (which === "previous" && previous === undefined)
      throw new ServiceError("notFound", "Nothing was used before the current period.");
    const period = which === "previous" && previous !== undefined ? previous : current.period;
    const { from, to, startsAt, endsAt } = spanOf({ account, period, current, now });
    const days = daysBetween(from, to);
    const used = await allowances.bySlot(account.id, period);
    const live = (await keys.list(account.id)).filter(({ revokedAt }) => revokedAt === null);
    const rows = rowsOf(used, quotaScope === "account" ? [] : live, days);
    return {
      timeZone: "UTC",
      startsAt: startsAt?.toISOString() ?? null,
      endsAt: endsAt?.toISOString() ?? null,
      days,
      rows,
      hasPrevious: previous !== undefined,
    };
  };

function spanOf({
  account,
  period,
  current,
  now,
}: {
  readonly account: Account;
  readonly period: string;
  readonly current: { readonly period: string; readonly resetsAt: Date | null };
  readonly now: Date;
}) {
  const startsAt = momentOf(period);
  const from = startsAt ?? account.createdAt;
  if (period === current.period) return { from, to: now, startsAt, endsAt: current.resetsAt };
  const next = momentOf(current.period) ?? new Date(from.getTime() + longestMonth * dayMilliseconds);
  const endsAt = next > now ? now : next;
  return { from, to: endsAt, startsAt, endsAt };
}

/** A period is named by its start, or is the one that never resets. */
const momentOf = (period: string): Date | null => (period === "lifetime" ? null : new Date(period));

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** From the first to the last, at most the last 90. */
function daysBetween(from: Date, to: Date): string[] {
  const [first, last] = [from, to].map((moment) => Date.parse(dayOf(moment)) / dayMilliseconds) as [number, number];
  const count = Math.min(mostUsageDays, Math.max(1, last - first + 1));
  return Array.from({ length: count }, (_, index) => dayOf(new Date((last - count + 1 + index) * dayMilliseconds)));
}

/** People first, then the keys in the order of their slots, also those that used nothing. */
function rowsOf(used: readonly UsedBySlot[], keys: readonly ApiKey[], days: readonly string[]) {
  const slots = new Set([0, ...used.map(({ slot }) => slot), ...keys.map(({ slot }) => slot)]);
  return [...slots]
    .toSorted((one, other) => one - other)
    .map((slot) => {
      const found = used.find((row) => row.slot === slot);
      const key = keys.find((one) => one.slot === slot);
      const byDay = days.map((day) => found?.byDay.get(day) ?? 0);
      const total = found?.used ?? 0;
      const of: "people" | "key" | "formerKey" = slot === 0 ? "people" : key ? "key" : "formerKey";
      return {
        of,
        key: key ? { id: key.id, name: key.name, lastFour: key.lastFour } : null,
        used: total,
        byDay,
        otherDays: total - byDay.reduce((sum, count) => sum + count, 0),
      };
    })
    .filter((row) => row.of !== "formerKey" || row.used > 0);
}
