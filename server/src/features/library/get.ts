import { ServiceError } from "@reelscript/contract";
import type { Scripts } from "../../ports.ts";
import { receiptOf } from "../../receipt-of.ts";
import type { Handler } from "../../run.ts";
import { describeScript } from "./describe-script.ts";

export const get =
  ({ scripts }: { readonly scripts: Scripts }): Handler<"getScript"> =>
  async ({ input: { id }, caller }) => {
    const found = await scripts.find(caller.account.id, id);
    if (found === undefined)
      throw new ServiceError("notFound", "You have no script with this id. The list shows those that there are.");
    const { transcript } = found;
    return { ...describeScript(found), segments: [...transcript.segments], receipt: receiptOf(transcript) };
  };
