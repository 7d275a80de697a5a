import type { Corrections } from "../../ports.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";
import { describeCorrection } from "./describe-correction.ts";

export const getScriptCorrection =
  ({ corrections }: { readonly corrections: Corrections }): Handler<"getScriptCorrection"> =>
  async ({ input: { id }, caller }) => {
    const found = await corrections.find(caller.account.id, id);
    if (found === undefined) throw noSuchScript();
    return describeCorrection(found);
  };
