import { useEffect } from "react";
import { useChange } from "../../api/use-change.ts";
import { rememberAwaitedPlan } from "./awaited-plan.ts";

/** Leads to the biller's pages: `pay(plan)` to pay or change, `manage()` to invoices, card and canceling. */
export function useLeave() {
  const checkout = useChange("startCheckout", {
    onDone: ({ url }, { plan }) => {
      rememberAwaitedPlan(plan);
      location.assign(url);
    },
  });
  const portal = useChange("openBillingPortal", { onDone: ({ url }) => location.assign(url) });
  const resetCheckout = checkout.reset;
  const resetPortal = portal.reset;
  useEffect(() => {
    // Who comes back by the browser's button finds the page as it was left, on its way out.
    const onShown = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return;
      resetCheckout();
      resetPortal();
    };
    addEventListener("pageshow", onShown);
    return () => removeEventListener("pageshow", onShown);
  }, [resetCheckout, resetPortal]);
  // Until the other page is there.
  const leavingFor = checkout.isPending || checkout.isSuccess ? checkout.variables.plan : undefined;
  const toPortal = portal.isPending || portal.isSuccess;
  const leaving = leavingFor !== undefined || toPortal;
  return {
    pay: (plan: "hobby" | "creator"): void => {
      if (leaving) return;
      portal.reset();
      checkout.mutate({ plan });
    },
    manage: (): void => {
      if (leaving) return;
      checkout.reset();
      portal.mutate({});
    },
    leavingFor,
    toPortal,
    error: checkout.error ?? portal.error,
  };
}
export type Leave = ReturnType<typeof useLeave>;
