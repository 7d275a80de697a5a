import { ServiceError } from "@reelscript/contract";
import type { Scripts } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const deleteScript =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"deleteScript"> =>
  async ({ input: { id }, caller }) => {
    if (await scripts.remove(caller.account.id, id)) return { id };
    throw new ServiceError("notFound", "You have no script with this id. List your scripts to find it.");
  };
