import { Link } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { ExpiringKeys } from "./expiring-keys.tsx";
import { NearlyUsed } from "./nearly-used.tsx";

const largestPlan = "creator";
const staleTime = 300_000;

/** What runs out soon: transcriptions of people and of each key, and keys. */
export function Notices() {
  const usage = useOperation("getUsage", {}).data;
  const keys = useOperation("listKeys", {}, { staleTime }).data;
  if (usage === undefined || keys === undefined) return undefined;
  const plans = usage.plan !== largestPlan && <Link to="/usage">See plans</Link>;
  return (
    <>
      <NearlyUsed who="You have" plan={plans} {...usage.transcriptions} />
      {keys.quotaScope === "key" &&
        keys.keys.map(({ id, name, transcriptions }) => (
          <NearlyUsed key={id} who={`“\u2068${name}\u2069” has`} plan={plans} {...transcriptions} />
        ))}
      <ExpiringKeys keys={keys.keys} />
    </>
  );
}
