import { Link } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { ExpiringKeys } from "./expiring-keys.tsx";
import { canTranscribe } from "./key-end.ts";
import { NearlyUsed } from "./nearly-used.tsx";

const largestPlan = "creator";
const staleTime = 300_000;

/** What runs out soon: transcriptions of people and, where they renew, of each key, and keys. */
export function Notices() {
  const usage = useOperation("getUsage", {}).data;
  const keys = useOperation("listKeys", {}, { staleTime }).data;
  if (usage === undefined || keys === undefined) return undefined;
  const plans = usage.plan !== largestPlan && <Link to="/usage">See plans</Link>;
  // What never renews would be said here forever; the page of usage says it of keys.
  const counted = keys.quotaScope === "key" && usage.transcriptions.resetsAt !== null ? keys.keys : [];
  return (
    <>
      <NearlyUsed who="You have" plan={plans} {...usage.transcriptions} />
      {counted.filter(canTranscribe).map(({ id, name, transcriptions }) => (
        <NearlyUsed key={id} who={`“\u2068${name}\u2069” has`} plan={plans} {...transcriptions} />
      ))}
      <ExpiringKeys keys={keys.keys} />
    </>
  );
}
