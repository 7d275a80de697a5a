import type { Clock, Sessions } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const revokeOtherSessions =
  ({ sessions, clock }: { readonly sessions: Sessions; readonly clock: Clock }): Handler<"revokeOtherSessions"> =>
  async ({ caller: { account, session } }) => ({
    revoked: await sessions.revokeOthers(account.id, session.id, clock.now()),
  });
