import { plans } from "@reelscript/contract";
import type { Account, Allowance, PostAllowance } from "../ports.ts";
import type { AccountCaller } from "./caller.ts";

/** Allowances belong to each key, or to the account with all of its keys. */
export type QuotaScope = "key" | "account";

/** The quota that a caller uses: only this function decides between keys and accounts (docs/decisions/quota.md). */
export function allowanceOf(account: Account, slot: number, scope: QuotaScope, now: Date): Allowance {
  const subject = { accountId: account.id, slot: scope === "account" ? 0 : slot };
  const limit = plans[account.plan].transcriptions;
  const { name, end } = periodOf(account, now);
  return { subject, limit, period: name, resetsAt: end };
}

export const allowanceOfCaller = (caller: AccountCaller, scope: QuotaScope, now: Date): Allowance =>
  allowanceOf(caller.account, slotOf(caller), scope, now);

/** How many reels an account may have analyzed now; they are counted for the account, never for a key. */
export function postAllowanceOf(account: Account, now: Date): PostAllowance {
  const limit = plans[account.plan].posts;
  return { accountId: account.id, limit, period: periodOf(account, now).name };
}

/**
 * The period in which an account's use is counted. A paid one lasts until the next payment, however late that is; before the
 * first payment the previous period continues. If this machine's clock is slow, the period may not have begun: then it is the
 * first one.
 */
function periodOf({ periodAnchor, paidPeriod }: Account, now: Date): { name: string; end: Date | null } {
  const period = paidPeriod ?? (periodAnchor && periodAt(periodAnchor, now < periodAnchor ? periodAnchor : now));
  return period ? { name: period.start.toISOString(), end: period.end } : { name: "lifetime", end: null };
}

/** The slot whose use a caller adds to: the key's, or the one that people share. */
export const slotOf = (caller: AccountCaller): number => (caller.kind === "key" ? caller.key.slot : peopleSlot);

/** The dashboard and the extension count together. */
const peopleSlot = 0;

/** Rate limits count per slot, so a new key inherits the calls of the one before; an account's extensions share one counter. */
export const rateSubjectOf = (caller: AccountCaller): string =>
  `${caller.account.id}:${caller.kind === "extension" ? "extension" : slotOf(caller)}`;

/**
 * The monthly period around `now`. A day that a month doesn't have becomes the month's last one, without moving later periods.
 */
export function periodAt(anchor: Date, now: Date): { start: Date; end: Date } {
  let months = (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  if (addMonths(anchor, months) > now) months -= 1;
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) };
}

function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return moved;
}
