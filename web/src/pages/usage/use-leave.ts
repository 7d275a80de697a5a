import { keep, readKept } from "../../api/browser-storage.ts";
import { useChange } from "../../api/use-operation.ts";
import { useWindowEvent } from "../../components/use-key.ts";
import type { CallError } from "@reelscript/client/core";
import type { PlanName } from "@reelscript/contract";

const key = "awaited-plan";

/** Opens the payment provider's pages from the plans page. Only one at a time. */
export interface Leave {
  readonly pay: (plan: PaidPlanName) => void;
  readonly manage: () => void;
  /** The plan whose checkout is opening; `undefined` if none is. */
  readonly leavingFor: PaidPlanName | undefined;
  /** True while the subscription page is opening. */
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
  // After the browser's Back button the page is still as it was left, waiting for the other page.
  useWindowEvent("pageshow", ({ persisted }) => {
    if (!persisted) return;
    checkout.reset();
    portal.reset();
  });
  // Stays until the other page has loaded.
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

/** The plan whose checkout this window opened, so that a returning person sees its outcome. */
export function readAwaitedPlan(): PlanName | undefined {
  const plan = readKept(key, "sessionStorage");
  return plan === "hobby" || plan === "creator" ? plan : undefined;
}
