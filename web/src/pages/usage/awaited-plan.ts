import type { PlanName } from "@reelscript/contract";

const key = "awaited-plan";

/** Which plan this window left for, so that somebody who comes back sees that one. */
export function rememberAwaitedPlan(plan: PlanName): void {
  try {
    sessionStorage.setItem(key, plan);
  } catch {
    // Storage may be forbidden; then what is said on coming back is less exact.
  }
}

export function readAwaitedPlan(): PlanName | undefined {
  try {
    const plan = sessionStorage.getItem(key);
    return plan === "hobby" || plan === "creator" ? plan : undefined;
  } catch {
    return undefined;
  }
}
