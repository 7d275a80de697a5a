import { useQueryClient } from "@tanstack/react-query";
import type { PlanName } from "@reelscript/contract";
import { useEffect, useRef } from "react";
import { useOperation } from "../../api/use-operation.ts";

const everyMilliseconds = 1_500;
/** The plan may change before the payment that sets back what was used is counted. */
const looksAfterward = [0, 2_000, 5_000];

/** What is used, asked again while a payment is awaited, and when the plan has changed. */
export function useFreshUse({ plan, waiting }: { readonly plan: PlanName | undefined; readonly waiting: boolean }) {
  const client = useQueryClient();
  const usage = useOperation("getUsage", {}, { staleTime: 0 });
  const keys = useOperation("listKeys", {}, { staleTime: 0 });
  const before = useRef(plan);
  useEffect(() => {
    const changed = before.current !== undefined && plan !== before.current;
    before.current = plan;
    if (!changed) return undefined;
    const timers = looksAfterward.map((wait) =>
      setTimeout(() => {
        for (const name of ["getUsage", "getUsageByDay", "listKeys", "getSession"])
          void client.invalidateQueries({ queryKey: [name] });
      }, wait),
    );
    return () => timers.forEach(clearTimeout);
  }, [plan, client]);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: ["getBilling"] }), everyMilliseconds);
    return () => clearInterval(timer);
  }, [waiting, client]);
  return { usage, keys };
}
