import { ServiceError } from "@reelscript/contract";
import type { Scripts } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { describeFullScript } from "./describe-full-script.ts";

export const get =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"getScript"> =>
  async ({ input: { id }, caller }) => {
    const found = await scripts.find(caller.account.id, id);
    if (found === undefined)
      throw new ServiceError("notFound", "You have no script with this id. The list shows those that there are.");
    return describeFullScript(found);
  };
