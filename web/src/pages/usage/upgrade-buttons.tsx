import type { PlanName } from "@reelscript/contract";
import { plans } from "@reelscript/contract/values";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { ErrorNote } from "../../components/page.tsx";
import { exactNumber } from "../../format.ts";
import { useLeave } from "./use-leave.ts";

const paidPlans = ["hobby", "creator"] as const;

/** The larger plans with their prices, each linking directly to its checkout; nothing if there are none. */
export function UpgradeButtons({ plan }: { readonly plan: PlanName }) {
  const leave = useLeave();
  const { data: billing } = useOperation("getBilling", {});
  const larger = paidPlans.filter((name) => plans[name].transcriptions > plans[plan].transcriptions);
  if (larger.length === 0) return undefined;
  if (billing?.sells === false) return <>Ask the operator of this service for a larger plan.</>;
  return (
    <>
      <ErrorNote error={leave.error}>You weren’t charged.</ErrorNote>
      <span className="row wrap">
        {larger.map((name, index) => (
          <Button
            key={name}
            kind={index === 0 ? "ink" : "quiet"}
            size="small"
            busy={leave.leavingFor === name && "Opening…"}
            onClick={() => leave.pay(name)}
          >
            {`Upgrade to ${plans[name].name}, $${exactNumber(plans[name].dollarsPerMonth)} a month`}
          </Button>
        ))}
      </span>
    </>
  );
}
