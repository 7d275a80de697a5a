import type { Handler } from "../../run.ts";
import { describeSession } from "./describe-session.ts";

export const get =
  (): Handler<"getSession"> =>
  async ({ caller: { account, session } }) => ({
    account: {
      id: account.id,
      email: account.email,
      name: account.name,
      plan: account.plan,
      createdAt: account.createdAt.toISOString(),
    },
    session: describeSession(session, session.id),
  });
