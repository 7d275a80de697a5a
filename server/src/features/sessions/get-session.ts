import { describeAccount } from "../../describe/describe-account.ts";
import type { Handler } from "../../run/run.ts";
import { describeSession } from "./describe-session.ts";

interface GetSessionNeeds {
  /** A reel to try, where there is one that anybody may. */
  readonly sampleReelUrl: string | undefined;
}

export const getSession =
  ({ sampleReelUrl }: GetSessionNeeds): Handler<"getSession"> =>
  async ({ caller: { account, session } }) => ({
    account: describeAccount(account),
    session: describeSession(session, session.id),
    sampleReelUrl,
  });
