import type { Clock, Sessions } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { describeSession } from "./describe-session.ts";

export const listSessions =
  ({ sessions, clock }: { readonly sessions: Sessions; readonly clock: Clock }): Handler<"listSessions"> =>
  async ({ caller: { account, session } }) => ({
    sessions: (await sessions.list(account.id, clock.now())).map((each) => describeSession(each, session.id)),
  });
