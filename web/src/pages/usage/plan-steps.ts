import type { PlanName } from "@reelscript/contract";
import type { Output } from "@reelscript/client/core";

type Billing = Output<"getBilling">;
export type Plan = Output<"getPlans">["plans"][number];

export type PlanStep =
  | { readonly kind: "current" }
  /** To the pay page. */
  | { readonly kind: "upgrade"; readonly plan: "hobby" | "creator" }
  /** To less. */
  | { readonly kind: "change"; readonly plan: "hobby" | "creator" }
  /** To the customer portal, where a plan is ended. */
  | { readonly kind: "end" };

/** What may be done with a plan's card; nothing where the operator gave a plan that nobody pays for. */
export function planStep(plan: Plan, plans: readonly Plan[], billing: Billing): PlanStep | undefined {
  if (plan.id === billing.plan) return { kind: "current" };
  const current = plans.find(({ id }) => id === billing.plan);
  const larger = plan.dollarsPerMonth > (current?.dollarsPerMonth ?? 0);
  if (larger && plan.id !== "free") return { kind: "upgrade", plan: plan.id };
  if (!isPaying(billing)) return undefined;
  if (plan.id !== "free") return { kind: "change", plan: plan.id };
  return billing.cancelsAt === null ? { kind: "end" } : undefined;
}

const isPaying = ({ status }: Billing): boolean => status === "active" || status === "pastDue";

/** Names of the plans that allow more transcriptions than `current`, the smallest first. */
export const largerPlans = (plans: readonly Plan[], current: PlanName): Plan[] => {
  const own = plans.find(({ id }) => id === current)?.transcriptions.limit ?? 0;
  return plans.filter(({ transcriptions }) => transcriptions.limit > own);
};
