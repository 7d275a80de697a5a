import { keep, readKept } from "../../api/browser-storage.ts";
import { useChange } from "../../api/use-operation.ts";
import { useWindowEvent } from "../../components/use-key.ts";
import type { PlanName } from "@reelscript/contract";

const key = "awaited-plan";

export function useLeave() {
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

/** Which plan this window left for, so that somebody who comes back sees that one. */
export function readAwaitedPlan(): PlanName | undefined {
  const plan = readKept(key, "sessionStorage");
  return plan === "hobby" || plan === "creator" ? plan : undefined;
}
