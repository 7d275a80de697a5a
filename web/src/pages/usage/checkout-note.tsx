import { getRouteApi } from "@tanstack/react-router";
import type { PlanName } from "@reelscript/contract";
import { useEffect, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Note } from "../../components/page.tsx";
import { planName } from "../../format.ts";
import { readAwaitedPlan, type Leave } from "./use-leave.ts";
import type { Output } from "@reelscript/client/core";
import { Moment } from "../../components/inline.tsx";

const route = getRouteApi("/shell/usage");
const patienceMilliseconds = 20_000;

interface CheckoutReturn {
  /** Its outcome as the address says; `undefined` if nobody returned. */
  readonly checkout: "done" | "canceled" | undefined;
  /** The plan whose checkout this window opened. */
  readonly awaited: PlanName | undefined;
  /** True while the plan may still become active. */
  readonly waiting: boolean;
  readonly waitAgain: () => void;
}

export function useCheckoutReturn(plan: PlanName | undefined): CheckoutReturn {
  const { checkout } = route.useSearch();
  const [awaited] = useState(readAwaitedPlan);
  const [patient, setPatient] = useState(true);
  const waiting = checkout === "done" && awaited !== undefined && awaited !== plan && patient;
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setPatient(false), patienceMilliseconds);
    return () => clearTimeout(timer);
  }, [waiting]);
  return { checkout, awaited, waiting, waitAgain: () => setPatient(true) };
}

interface Props {
  readonly returned: CheckoutReturn;
  readonly plan: PlanName | undefined;
}

export function CheckoutNote({ returned, plan }: Props) {
  const navigate = route.useNavigate();
  const { checkout, awaited, waiting, waitAgain } = returned;
  if (checkout === undefined || plan === undefined) return undefined;
  const close = (
    <Button kind="ghost" size="small" onClick={() => void navigate({ search: {}, replace: true })}>
      Close
    </Button>
  );
  if (checkout === "canceled")
    return (
      <Note icon="back" live actions={close}>
        Checkout canceled. You weren’t charged.
      </Note>
    );
  if (waiting)
    return (
      <Note icon="clock" live>
        Your plan will change when the payment arrives, usually in a few seconds.
      </Note>
    );
  if (awaited === undefined || awaited === plan)
    return (
      <Note icon="check" live actions={close}>
        Your plan is {planName(plan)} now.
      </Note>
    );
  return (
    <Note
      kind="warn"
      icon="clock"
      live
      actions={
        <>
          <Button kind="ghost" size="small" onClick={waitAgain}>
            Check again
          </Button>
          {close}
        </>
      }
    >
      Your plan is still {planName(plan)}. If you paid, it changes when the payment arrives. If you didn’t, you weren’t
      charged.
    </Note>
  );
}

interface BillingProps {
  readonly billing: Output<"getBilling">;
  readonly leave: Leave;
}

export function BillingNote({ billing: { plan, status, cancelsAt }, leave }: BillingProps) {
  const manage = (name: string) => (
    <Button size="small" busy={leave.toPortal && "Opening…"} onClick={leave.manage}>
      {name}
    </Button>
  );
  if (status === "pastDue")
    return (
      <Note kind="bad" icon="warn" actions={manage("Update card")}>
        The last payment failed. {planName(plan)} continues for now. Update your card to keep it.
      </Note>
    );
  if (cancelsAt !== null)
    return (
      <Note kind="warn" icon="clock" actions={manage("Keep plan")}>
        {planName(plan)} ends on <Moment at={cancelsAt} style="long" />. Then you move to Free. Transcriptions you used
        stay used.
      </Note>
    );
  return undefined;
}
