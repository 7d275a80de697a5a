import type { Webhooks } from "../../ports.ts";
import { noSuchWebhook } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

export const deleteWebhook =
  ({ webhooks }: { readonly webhooks: Webhooks }): Handler<"deleteWebhook"> =>
  async ({ input: { id }, caller }) => {
    if (await webhooks.remove(caller.account.id, id)) return { id };
    throw noSuchWebhook();
  };
