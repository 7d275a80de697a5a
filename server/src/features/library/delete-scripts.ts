import type { Scripts } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const deleteScripts =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"deleteScripts"> =>
  async ({ input: { ids }, caller }) => ({ ids: [...(await scripts.removeSeveral(caller.account.id, ids))] });
