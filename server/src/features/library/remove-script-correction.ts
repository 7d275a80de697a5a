import type { Clock, Correctable, Corrections } from "../../ports.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";
import { describeCorrection, refuseStale } from "./describe-correction.ts";

interface Needs {
  readonly corrections: Corrections;
  readonly clock: Clock;
}

export const removeScriptCorrection =
  ({ corrections, clock }: Needs): Handler<"removeScriptCorrection"> =>
  async ({ input: { id, ifVersion }, caller }) => {
    const decide = (found: Correctable): "remove" => {
      if (ifVersion !== undefined) refuseStale(found, ifVersion);
      return "remove";
    };
    const changed = await corrections.change(caller.account.id, id, decide, clock.now());
    if (changed === undefined) throw noSuchScript();
    return describeCorrection(changed);
  };
