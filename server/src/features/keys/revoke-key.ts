import type { Clock, Keys } from "../../ports.ts";
import { noActiveKey } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

export const revokeKey =
  ({ keys, clock }: { readonly keys: Keys; readonly clock: Clock }): Handler<"revokeKey"> =>
  async ({ input: { id }, caller }) => {
    if (await keys.revokeOwn(caller.account.id, id, clock.now())) return { id };
    throw noActiveKey();
  };
