import { useEffect, useId, useRef } from "react";
import type { Output } from "@reelscript/client/core";
import { unitPrice } from "@reelscript/contract/values";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/inline.tsx";
import { classNames } from "../../components/class-names.ts";
import { Icon } from "../../components/icon.tsx";
import { counted, exactNumber } from "../../format.ts";
import type { Leave } from "./use-leave.ts";
import type { PlanName } from "@reelscript/contract";

interface Props {
  readonly table: Output<"getPlans">;
  readonly billing: Output<"getBilling">;
  /** Plan chosen before signing in. */
  readonly selectedPlan: Plan["id"] | undefined;
  readonly leave: Leave;
}

export function PlanCards({
  table: { plans, keysPerAccount, transcriptionsCountedPer },
  billing,
  selectedPlan,
  leave,
}: Props) {
  const [larger] = largerPlans(plans, billing.plan);
  const next = plans.find(({ id }) => id === selectedPlan && id !== billing.plan) ?? larger;
  return (
    <ul className="tiles fitted plans">
      {plans.map((plan) => (
        <PlanCard
          key={plan.id}
          plan={plan}
          keys={keysPerAccount}
          perKey={transcriptionsCountedPer === "key"}
          step={planStep(plan, plans, billing)}
          next={plan === next}
          isSelected={plan === next && plan.id === selectedPlan}
          leave={leave}
        />
      ))}
    </ul>
  );
}

interface CardProps {
  readonly plan: Plan;
  readonly keys: number;
  readonly perKey: boolean;
  readonly step: PlanStep | undefined;
  readonly next: boolean;
  readonly isSelected: boolean;
  readonly leave: Leave;
}

function PlanCard({ plan, keys, perKey, step, next, isSelected, leave }: CardProps) {
  const { name, dollarsPerMonth, transcriptions, posts } = plan;
  const heading = useId();
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isSelected) return;
    card.current?.scrollIntoView({ block: "center" });
    card.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [isSelected]);
  const span = (period: "lifetime" | "month"): string => (period === "lifetime" ? ", one time" : " a month");
  const current = step?.kind === "current";
  const price = unitPrice(dollarsPerMonth, transcriptions.limit);
  const lines = [
    counted(transcriptions.limit, "transcription", "transcriptions") +
      span(transcriptions.period) +
      (price === undefined ? "" : `, ${price}`),
    posts.limit === null
      ? "Unlimited posts analyzed"
      : `${exactNumber(posts.limit)} posts analyzed${span(posts.period)}`,
    `${counted(keys, "API key", "API keys")}${perKey ? ", each with its own quota" : ", REST and MCP"}`,
  ];
  return (
    <li ref={card} className={classNames("card stack plan", current && "current")} aria-labelledby={heading}>
      <div className="row">
        <h3 id={heading}>{name}</h3>
        {current && <Chip>Your plan</Chip>}
        {isSelected && <Chip>Your choice</Chip>}
      </div>
      <p className="price">
        ${exactNumber(dollarsPerMonth)} <small>{dollarsPerMonth === 0 ? "no card" : "a month"}</small>
      </p>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <Icon name="check" small />
            {line}
          </li>
        ))}
      </ul>
      {step && <StepButton step={step} name={name} next={next} leave={leave} />}
    </li>
  );
}

interface StepProps {
  readonly step: PlanStep;
  readonly name: string;
  readonly next: boolean;
  readonly leave: Leave;
}

function StepButton({ step, name, next, leave }: StepProps) {
  const { kind } = step;
  if (kind === "current") return <Button disabled>Current</Button>;
  const isOpening = kind === "end" ? leave.toPortal : leave.leavingFor === step.plan;
  return (
    <Button
      kind={next && kind !== "end" ? "ink" : "quiet"}
      busy={isOpening && "Opening…"}
      onClick={() => (kind === "end" ? leave.manage() : leave.pay(step.plan))}
    >
      {`${kind === "upgrade" ? "Upgrade" : "Change"} to ${name}`}
    </Button>
  );
}

export type Plan = Output<"getPlans">["plans"][number];

export type PlanStep =
  | { readonly kind: "current" }
  | { readonly kind: "upgrade" | "change"; readonly plan: "hobby" | "creator" }
  /** Opens the customer portal, where people cancel a plan. */
  | { readonly kind: "end" };

/** The action of a plan's card; none if the operator sets plans or granted one that nobody pays for. */
export function planStep(plan: Plan, plans: readonly Plan[], billing: Output<"getBilling">): PlanStep | undefined {
  if (plan.id === billing.plan) return { kind: "current" };
  if (!billing.sells) return undefined;
  const current = plans.find(({ id }) => id === billing.plan);
  const larger = plan.dollarsPerMonth > (current?.dollarsPerMonth ?? 0);
  if (larger && plan.id !== "free") return { kind: "upgrade", plan: plan.id };
  if (billing.status !== "active" && billing.status !== "pastDue") return undefined;
  if (plan.id !== "free") return { kind: "change", plan: plan.id };
  return billing.cancelsAt === null ? { kind: "end" } : undefined;
}

export const largerPlans = (plans: readonly Plan[], current: PlanName): Plan[] => {
  const currentLimit = plans.find(({ id }) => id === current)?.transcriptions.limit ?? 0;
  return plans.filter(({ transcriptions }) => transcriptions.limit > currentLimit);
};
