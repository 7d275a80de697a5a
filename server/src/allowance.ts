import { plans } from "@reelscript/contract";
import type { Account, Allowance, PostAllowance } from "./ports.ts";
import type { AccountCaller } from "./run.ts";

/** Whose units a caller uses: the one place that knows whether keys or accounts are counted. */
export function allowanceOf(account: Account, slot: number, scope: "key" | "account", now: Date): Allowance {
  const subject = { accountId: account.id, slot: scope === "account" ? 0 : slot };
  const limit = plans[account.plan].transcriptions;
  if (account.periodAnchor === null) return { subject, limit, period: "lifetime", resetsAt: null };
  const { start, end } = periodAt(account.periodAnchor, now);
  return { subject, limit, period: start.toISOString(), resetsAt: end };
}

/** Reels that an account may have analyzed now; they are the account's, never a key's. */
export function postAllowanceOf(account: Account, now: Date): PostAllowance {
  const limit = plans[account.plan].posts;
  const start = account.periodAnchor === null ? null : periodAt(account.periodAnchor, now).start;
  return { accountId: account.id, limit, period: start?.toISOString() ?? "lifetime" };
}

/** The place in the account whose use a caller adds to: that of the key, or the one that people share. */
export const slotOf = (caller: AccountCaller): number => (caller.kind === "key" ? caller.key.slot : peopleSlot);

/** The dashboard and the extension count together. */
const peopleSlot = 0;

/** Whose calls a rate limit counts: the slot, so that a new key in it has made the calls of the one before. */
export const rateSubjectOf = (caller: AccountCaller): string => `${caller.account.id}:${slotOf(caller)}`;

/** The monthly period around `now`. A day that a month does not have becomes its last one, without moving later periods. */
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
