import { keep, readKept } from "../../api/browser-storage.ts";
import { useChange } from "../../api/use-operation.ts";
import { useWindowEvent } from "../../components/use-key.ts";
import type { CallError } from "@reelscript/client/core";
import type { PlanName } from "@reelscript/contract";

const key = "awaited-plan";

/** Ways out of the page of plans, to the pages of who takes the money. One at a time. */
export interface Leave {
  readonly pay: (plan: PaidPlanName) => void;
  readonly manage: () => void;
  /** The plan whose checkout is on its way; `undefined` if none is. */
  readonly leavingFor: PaidPlanName | undefined;
  /** True while the page of the subscription is on its way. */
  readonly toPortal: boolean;
  readonly error: CallError | null;
}

type PaidPlanName = Exclude<PlanName, "free">;

export function useLeave(): Leave {
  const checkout = useChange("startCheckout", {
    onDone: ({ url }, { plan }) => {
      keep(key, plan, "sessionStorage");
      location.assign(url);
    },
  });
  const portal = useChange("openBillingPortal", { onDone: ({ url }) => location.assign(url) });
  // After the browser's back button the page is still as it was left, on its way out.
  useWindowEvent("pageshow", ({ persisted }) => {
    if (!persisted) return;
    checkout.reset();
    portal.reset();
  });
  // Until the other page is there.
  const leavingFor = checkout.isPending || checkout.isSuccess ? checkout.variables.plan : undefined;
  const toPortal = portal.isPending || portal.isSuccess;
  const leaving = leavingFor !== undefined || toPortal;
  return {
    pay: (plan) => {
      if (leaving) return;
      portal.reset();
      checkout.mutate({ plan });
    },
    manage: () => {
      if (leaving) return;
      checkout.reset();
      portal.mutate({});
    },
    leavingFor,
    toPortal,
    error: checkout.error ?? portal.error,
  };
}

/** Which plan this window left for, so that somebody who comes back sees that one. */
export function readAwaitedPlan(): PlanName | undefined {
  const plan = readKept(key, "sessionStorage");
  return plan === "hobby" || plan === "creator" ? plan : undefined;
}
