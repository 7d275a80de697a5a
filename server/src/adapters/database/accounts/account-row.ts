import { PlanName } from "@reelscript/contract";
import type { Account } from "../../../ports.ts";
import { isMoment, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { RowOf } from "../engine/statement.ts";

export const isPaidPlan = isOneOf(...PlanName.exclude(["free"]).options);
export const isPlan = isOneOf(...PlanName.options);

/** An account's columns in a join with a row that has its own id, name and time. */
export const joinedAccountColumns = {
  email: isText,
  plan: isPlan,
  periodAnchor: orNull(isMoment),
  paidFrom: orNull(isMoment),
  paidUntil: orNull(isMoment),
  suspendedAt: orNull(isMoment),
};

export const accountColumns = { ...joinedAccountColumns, id: isText, name: orNull(isText), createdAt: isMoment };

export const toAccount = (row: RowOf<typeof accountColumns>): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  plan: row.plan,
  createdAt: row.createdAt,
  periodAnchor: row.periodAnchor,
  paidPeriod: row.paidFrom && row.paidUntil && { start: row.paidFrom, end: row.paidUntil },
  ...(row.suspendedAt && { suspendedAt: row.suspendedAt }),
});
