import type { Scripts } from "../../ports.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

export const getScriptText =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"getScriptText"> =>
  async ({ input: { id }, caller }) => {
    const found = await scripts.find(caller.account.id, id);
    if (found === undefined) throw noSuchScript();
    return { text: found.transcript.text };
  };
