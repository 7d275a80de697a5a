import { ServiceError } from "@reelscript/contract";
import type { Clock, Sessions } from "../../ports.ts";
import type { Handler } from "../../run.ts";

export const revoke =
  ({ sessions, clock }: { readonly sessions: Sessions; readonly clock: Clock }): Handler<"revokeSession"> =>
  async ({ input: { id }, caller: { account } }) => {
    if (await sessions.revoke(account.id, id, clock.now())) return { id };
    throw new ServiceError("notFound", "There is no such session of yours; it may have ended already.");
  };
