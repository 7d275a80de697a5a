import { Link } from "@tanstack/react-router";
import { useOperation } from "../api/use-operation.ts";
import { Meter } from "../components/meter.tsx";
import { shortDate } from "../format/date.ts";
import { planName } from "../format/plan-name.ts";

const nearlyAll = 0.9;
const largestPlan = "creator";

/** The plan, what of it is used, and when it starts over. */
export function Quota() {
  const { data } = useOperation("getUsage", {});
  if (data === undefined) return <div className="quota" aria-hidden="true" />;
  const { used, limit, resetsAt } = data.transcriptions;
  return (
    <div className="quota">
      <Meter label={planName(data.plan)} name="Transcriptions used" used={used} limit={limit} />
      <span className="row">
        <span className="muted">{resetsAt === null ? "One-time allowance" : `Resets ${shortDate(resetsAt)}`}</span>
        {used >= limit * nearlyAll && data.plan !== largestPlan && (
          <Link className="at-end" to="/usage">
            Upgrade
          </Link>
        )}
      </span>
    </div>
  );
}
