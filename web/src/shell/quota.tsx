import { useOperation } from "../api/use-operation.ts";
import { Meter } from "../components/meter.tsx";
import { shortDate } from "../format/date.ts";
import { planName } from "../format/plan-name.ts";

/** The plan, what of it is used, and when it starts anew. */
export function Quota() {
  const { data } = useOperation("getUsage", {});
  if (data === undefined) return <div className="quota" aria-hidden="true" />;
  const { used, limit, resetsAt } = data.transcriptions;
  return (
    <div className="quota">
      <Meter label={planName(data.plan)} name="Transcriptions used" used={used} limit={limit} />
      <span className="mute">{resetsAt === null ? "Does not reset" : `Resets ${shortDate(resetsAt)}`}</span>
    </div>
  );
}
