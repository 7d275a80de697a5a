import { ServiceError } from "@reelscript/contract";
import type { Clock, Sessions } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const revokeSession =
  ({ sessions, clock }: { readonly sessions: Sessions; readonly clock: Clock }): Handler<"revokeSession"> =>
  async ({ input: { id }, caller: { account } }) => {
    if (await sessions.revoke(account.id, id, clock.now())) return { id };
    throw new ServiceError("notFound", "You have no session with this id. It may have ended already.");
  };
