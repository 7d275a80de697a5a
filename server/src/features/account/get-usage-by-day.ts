import { dayMilliseconds, dayOf, keysPerAccount, mostUsageDays, ServiceError } from "@reelscript/contract";
import type { Account, ApiKey, UsedBySlot, Allowances, Keys, Clock } from "../../ports.ts";
import { allowanceOf, periodAt, type QuotaScope } from "../../rules/allowance.ts";
import type { Handler } from "../../run/handler.ts";

interface UsageByDayNeeds extends UseNeeds {
  readonly keys: Keys;
  readonly clock: Clock;
}

export const getUsageByDay =
  (needs: UsageByDayNeeds): Handler<"getUsageByDay"> =>
  async ({ input: { period: which = "current" }, caller: { account } }) => {
    const now = needs.clock.now();
    const current = await currentUse(needs, account, now);
    const previous = await previousUse(needs, account, current);
    if (which === "previous" && previous === undefined)
      throw new ServiceError("notFound", "You didn't use anything before the current period.");
    const { startsAt, endsAt, days, used, until } = which === "previous" && previous ? previous : current;
    const keys = needs.quotaScope === "account" ? [] : await needs.keys.list(account.id);
    const live = keys.filter(({ revokedAt, createdAt }) => revokedAt === null && createdAt <= until);
    return {
      timeZone: "UTC",
      startsAt,
      endsAt,
      days,
      rows: rowsOf(used, live, days),
      previous: previous ?? null,
    };
  };

/** Use in one period, with the period's dates. */
interface PeriodUse {
  readonly period: string;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly days: string[];
  /** The last moment that is seen of it. */
  readonly until: Date;
  readonly used: readonly UsedBySlot[];
}

/** In the scope of the account, keys share the quota of people, and their own earlier use no longer counts. */
const lastSlotOf = (scope: QuotaScope): number => (scope === "account" ? 0 : keysPerAccount);

interface UseNeeds {
  readonly allowances: Allowances;
  readonly quotaScope: QuotaScope;
}

async function currentUse({ allowances, quotaScope }: UseNeeds, account: Account, now: Date) {
  const { period, resetsAt } = allowanceOf(account, 0, quotaScope, now);
  const used = await allowances.bySlot(account.id, period, lastSlotOf(quotaScope));
  const startsAt = momentOf(period);
  const days = daysBetween(startsAt ?? account.createdAt, now);
  return { period, startsAt, endsAt: resetsAt, days, until: now, used } satisfies PeriodUse;
}

async function previousUse(
  { allowances, quotaScope }: UseNeeds,
  account: Account,
  current: PeriodUse,
): Promise<PeriodUse | undefined> {
  const lastSlot = lastSlotOf(quotaScope);
  const period = await allowances.periodBefore(account.id, current.period, lastSlot);
  if (period === undefined) return undefined;
  const used = await allowances.bySlot(account.id, period, lastSlot);
  const startsAt = momentOf(period);
  const lastUse = Math.max(0, ...used.map(({ lastAt }) => lastAt?.getTime() ?? 0));
  if (startsAt === null) {
    const until = lastUse > 0 ? new Date(lastUse) : (current.startsAt ?? current.until);
    return { period, startsAt, endsAt: null, days: daysBetween(account.createdAt, until), until, used };
  }
  const paidUntil = (await allowances.endOfPaidPeriod(account.id, startsAt)) ?? monthAt(startsAt, account.periodAnchor);
  const latest = current.startsAt ?? current.until;
  // Use in a period shows that it had not ended. Billers round to seconds, so the next period may begin before that use.
  const endsAt = new Date(Math.min(Math.max(paidUntil.getTime(), lastUse), latest.getTime()));
  // The moment at which it ended belongs to the next.
  const until = new Date(Math.max(endsAt.getTime() - 1, lastUse));
  return { period, startsAt, endsAt, days: daysBetween(startsAt, until), until, used };
}

/** The end of a month that began then: by the account's anchor when that is where it began from. */
function monthAt(start: Date, anchor: Date | null): Date {
  const byAnchor = anchor && anchor <= start ? periodAt(anchor, start) : undefined;
  return (byAnchor?.start.getTime() === start.getTime() ? byAnchor : periodAt(start, start)).end;
}

/** A period is named by its start, or is the one that never resets. */
const momentOf = (period: string): Date | null => (period === "lifetime" ? null : new Date(period));

/** Days from the first to the last, at most the last 90. */
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
      const slotUse = used.find((row) => row.slot === slot);
      const key = keys.find((one) => one.slot === slot);
      const byDay = days.map((day) => slotUse?.byDay.get(day) ?? 0);
      const total = slotUse?.used ?? 0;
      const of: "people" | "key" | "formerKey" = slot === 0 ? "people" : key ? "key" : "formerKey";
      return {
        of,
        key: key ? { id: key.id, name: key.name, lastFour: key.lastFour } : null,
        afterFormerKey: key !== undefined && slotUse !== undefined && isAfterAnother(key, slotUse),
        used: total,
        byDay,
        otherDays: total - sum(byDay),
      };
    })
    .filter((row) => row.of !== "formerKey" || row.used > 0);
}

/** True if the slot was used before this key had it: earlier, or in an account that was deleted. */
const isAfterAnother = ({ createdAt }: ApiKey, { used, byDay, firstAt }: UsedBySlot): boolean =>
  (firstAt !== null && firstAt < createdAt) || used > sum([...byDay.values()]);

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
