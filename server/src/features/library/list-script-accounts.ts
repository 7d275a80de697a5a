import type { Scripts } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const listScriptAccounts =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"listScriptAccounts"> =>
  async ({ caller }) => {
    const { handles, total } = await scripts.handles(caller.account.id);
    return { accounts: [...handles], total };
  };
