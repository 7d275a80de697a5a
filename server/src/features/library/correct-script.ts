import { ServiceError } from "@reelscript/contract";
import type { Clock, Correctable, Corrections } from "../../ports.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";
import { describeCorrection, refuseStale } from "./describe-correction.ts";

interface Needs {
  readonly corrections: Corrections;
  readonly clock: Clock;
}

export const correctScript =
  ({ corrections, clock }: Needs): Handler<"correctScript"> =>
  async ({ input: { id, ifVersion, texts }, caller }) => {
    const decide = (found: Correctable): readonly string[] => {
      refuseStale(found, ifVersion);
      const { length } = found.segments;
      if (length === 0) throw refusal("Nothing is said in this reel, so there is nothing to correct.");
      if (texts.length !== length)
        throw refusal(`\`texts\`: must have the text of every segment: ${length}, not ${texts.length}.`);
      if (!texts.some((text) => /[\p{L}\p{N}]/u.test(text)))
        throw refusal("`texts`: must leave at least one word. Delete the script if you don't need it.");
      return texts;
    };
    const changed = await corrections.change(caller.account.id, id, decide, clock.now());
    if (changed === undefined) throw noSuchScript();
    return describeCorrection(changed);
  };

const refusal = (message: string): ServiceError => new ServiceError("invalidRequest", message, { status: 422 });
