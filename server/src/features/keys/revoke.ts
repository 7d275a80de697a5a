import { ServiceError } from "@reelscript/contract";
import type { Clock, Keys } from "../../ports.ts";
import type { Handler } from "../../run.ts";

export const revoke =
  ({ keys, clock }: { readonly keys: Keys; readonly clock: Clock }): Handler<"revokeKey"> =>
  async ({ input: { id }, caller }) => {
    if (await keys.revokeOwn(caller.account.id, id, clock.now())) return { id };
    throw new ServiceError("notFound", "You have no live key with this id. The list shows those that there are.");
  };
