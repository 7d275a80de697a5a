import { describeAccount } from "../../describe-account.ts";
import type { Handler } from "../../run.ts";
import { describeSession } from "./describe-session.ts";

export const get =
  (): Handler<"getSession"> =>
  async ({ caller: { account, session } }) => ({
    account: describeAccount(account),
    session: describeSession(session, session.id),
  });
