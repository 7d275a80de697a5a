import { webhooksPerAccount } from "@reelscript/contract";
import type { Webhooks } from "../../ports.ts";
import { describeWebhook } from "../../describe/describe-webhook.ts";
import type { Handler } from "../../run/run.ts";

export const listWebhooks =
  ({ webhooks }: { readonly webhooks: Webhooks }): Handler<"listWebhooks"> =>
  async ({ caller }) => ({
    webhooks: (await webhooks.list(caller.account.id)).map(describeWebhook),
    limit: webhooksPerAccount,
  });
