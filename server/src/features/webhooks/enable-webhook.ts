import type { Webhooks } from "../../ports.ts";
import { describeWebhook } from "../../describe/describe-webhook.ts";
import { noSuchWebhook } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

export const enableWebhook =
  ({ webhooks }: { readonly webhooks: Webhooks }): Handler<"enableWebhook"> =>
  async ({ input: { id }, caller }) => {
    const enabled = await webhooks.enable(caller.account.id, id);
    if (enabled === undefined) throw noSuchWebhook();
    return describeWebhook(enabled);
  };
