import { randomBytes } from "node:crypto";
import { ServiceError, webhooksPerAccount } from "@reelscript/contract";
import type { Clock, WebhookSender, Webhooks } from "../../ports.ts";
import { describeWebhook } from "../../describe/describe-webhook.ts";
import type { Handler } from "../../run/run.ts";

interface CreateWebhookNeeds {
  readonly webhooks: Webhooks;
  readonly webhookSender: WebhookSender;
  readonly clock: Clock;
}

const secretBytes = 32;

export const createWebhook =
  ({ webhooks, webhookSender, clock }: CreateWebhookNeeds): Handler<"createWebhook"> =>
  async ({ input, caller }) => {
    const url = new URL(input.url);
    url.hash = "";
    if (!webhookSender.accepts(url))
      throw new ServiceError(
        "invalidRequest",
        "`url` must be an https URL on the public internet, on the usual port and without a user name.",
      );
    const secret = randomBytes(secretBytes);
    const made = await webhooks.create({ accountId: caller.account.id, url: url.href, secret, now: clock.now() });
    if (made === "noAccount")
      throw new ServiceError("unauthorized", "This account was deleted. Sign in again.", { reason: "accountDeleted" });
    if (made === "full")
      throw new ServiceError(
        "limitReached",
        `You already have ${webhooksPerAccount} webhook endpoints, the maximum. Delete one you don't need, then add the new one.`,
      );
    return { webhook: describeWebhook(made), secret: `whsec_${secret.toString("base64")}` };
  };
