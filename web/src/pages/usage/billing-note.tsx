import type { Output } from "../../api/operation-types.ts";
import { Button } from "../../components/button.tsx";
import { Moment } from "../../components/moment.tsx";
import { Note } from "../../components/note.tsx";
import { planName } from "../../format/plan-name.ts";
import type { Leave } from "./use-leave.ts";

interface Props {
  readonly billing: Output<"getBilling">;
  readonly leave: Leave;
}

/** What asks for something: a payment that failed, a plan that ends. */
export function BillingNote({ billing: { plan, status, cancelsAt }, leave }: Props) {
  const opening = leave.toPortal ? "Opening…" : undefined;
  if (status === "pastDue")
    return (
      <Note kind="bad" icon="warn">
        <div className="row wrap asks">
          <p className="grow">
            The last payment failed. {planName(plan)} continues for now. Update your card to keep it.
          </p>
          <Button kind="quiet" size="small" busy={opening} onClick={leave.manage}>
            Update card
          </Button>
        </div>
      </Note>
    );
  if (cancelsAt !== null)
    return (
      <Note kind="warn" icon="clock">
        <div className="row wrap asks">
          <p className="grow">
            {planName(plan)} ends on <Moment at={cancelsAt} style="long" />. Then you move to Free. Transcriptions you
            used stay used.
          </p>
          <Button kind="quiet" size="small" busy={opening} onClick={leave.manage}>
            Keep the plan
          </Button>
        </div>
      </Note>
    );
  return undefined;
}
