import { getRouteApi } from "@tanstack/react-router";
import type { PlanName } from "@reelscript/contract";
import { useEffect, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Note } from "../../components/note.tsx";
import { planName } from "../../format/plan-name.ts";
import { readAwaitedPlan } from "./awaited-plan.ts";

const route = getRouteApi("/shell/usage");
const patienceMilliseconds = 20_000;

/** Whether who comes back from the pay page still waits for the plan to change. */
export function useCheckoutReturn(plan: PlanName | undefined) {
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
  readonly returned: ReturnType<typeof useCheckoutReturn>;
  readonly plan: PlanName | undefined;
}

/** What became of it, to who comes back from the pay page. */
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
      <Note icon="back" live>
        <div className="row wrap asks">
          <p className="grow">Checkout canceled. You weren’t charged.</p>
          {close}
        </div>
      </Note>
    );
  if (waiting)
    return (
      <Note icon="clock" live>
        <p>Your plan will change when the payment arrives, usually in a few seconds.</p>
      </Note>
    );
  if (awaited !== undefined && awaited !== plan)
    return (
      <Note kind="warn" icon="clock" live>
        <div className="row wrap asks">
          <p className="grow">
            Your plan is still {planName(plan)}. If you paid, it changes when the payment arrives. If you didn’t, you
            weren’t charged.
          </p>
          <Button kind="ghost" size="small" onClick={waitAgain}>
            Check again
          </Button>
          {close}
        </div>
      </Note>
    );
  return (
    <Note icon="check" live>
      <div className="row wrap asks">
        <p className="grow">Your plan is {planName(plan)} now.</p>
        {close}
      </div>
    </Note>
  );
}
