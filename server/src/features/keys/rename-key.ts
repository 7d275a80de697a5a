import type { Keys } from "../../ports.ts";
import { describeKey } from "../../describe/describe-key.ts";
import { noActiveKey } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

export const renameKey =
  ({ keys }: { readonly keys: Keys }): Handler<"renameKey"> =>
  async ({ input: { id, name }, caller }) => {
    const renamed = await keys.rename(caller.account.id, id, name);
    if (renamed === undefined) throw noActiveKey();
    return describeKey(renamed);
  };
