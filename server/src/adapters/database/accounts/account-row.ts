import { PlanName } from "@reelscript/contract";
import type { Account } from "../../../ports.ts";
import { isMoment, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { RowOf } from "../engine/statement.ts";

export const isPaidPlan = isOneOf(...PlanName.exclude(["free"]).options);
export const isPlan = isOneOf(...PlanName.options);

/** What an account has whose row is joined to another one with an id, a name and a moment of its own. */
export const joinedAccountColumns = {
  email: isText,
  plan: isPlan,
  period_anchor: orNull(isMoment),
  paid_from: orNull(isMoment),
  paid_until: orNull(isMoment),
  suspended_at: orNull(isMoment),
};

export const accountColumns = { ...joinedAccountColumns, id: isText, name: orNull(isText), created_at: isMoment };

export const toAccount = (row: RowOf<typeof accountColumns>): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  plan: row.plan,
  createdAt: row.created_at,
  periodAnchor: row.period_anchor,
  paidPeriod: row.paid_from && row.paid_until && { start: row.paid_from, end: row.paid_until },
  ...(row.suspended_at && { suspendedAt: row.suspended_at }),
});
