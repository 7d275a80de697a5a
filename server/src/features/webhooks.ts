import { randomBytes } from "node:crypto";
import { formerSecretHours, redeliveriesPerMinute, ServiceError, webhooksPerAccount } from "@reelscript/contract";
import { accountDeleted, orThrow, noSuchWebhook } from "../rules/refusals.ts";
import type { Handler, Handlers } from "../run/handler.ts";
import type { AccountCaller } from "../rules/caller.ts";
import type { Webhooks, WebhookSender, Clock } from "../ports.ts";

interface WebhookNeeds {
  readonly webhooks: Webhooks;
  readonly webhookSender: WebhookSender;
  readonly clock: Clock;
}

export const webhookHandlers = (needs: WebhookNeeds) =>
  ({
    listWebhooks: async ({ caller }) => ({
      webhooks: await needs.webhooks.list(caller.account.id),
      limit: webhooksPerAccount,
    }),

    createWebhook: createWebhook(needs),

    deleteWebhook: async ({ input: { id }, caller }) => {
      if (await needs.webhooks.remove(caller.account.id, id)) return { id };
      throw noSuchWebhook();
    },

    enableWebhook: async ({ input: { id }, caller }) =>
      orThrow(await needs.webhooks.enable(caller.account.id, id, keyIdOf(caller)), noSuchWebhook),

    testWebhook: async ({ input: { id }, caller }) => {
      const answer = await needs.webhooks.test(caller.account.id, id, needs.clock.now());
      if (answer === "unknown") throw noSuchWebhook();
      if (answer === "busy")
        throw new ServiceError("rateLimited", "Test events are on their way. Try again in a few seconds.", {
          retryAfter: 10,
        });
      return { id };
    },

    listWebhookDeliveries: async ({ input: { id }, caller }) => ({
      deliveries: orThrow(await needs.webhooks.deliveries(caller.account.id, id), noSuchWebhook),
    }),

    redeliverWebhook: redeliverWebhook(needs),

    rotateWebhook: async ({ input: { id }, caller }) => {
      const secret = newSecret();
      const formerUntil = new Date(needs.clock.now().getTime() + formerSecretHours * 3_600_000);
      const rotated = await needs.webhooks.rotate(caller.account.id, id, secret, formerUntil);
      return { webhook: orThrow(rotated, noSuchWebhook), secret: writeSecret(secret) };
    },
  }) satisfies Partial<Handlers>;

const createWebhook =
  ({ webhooks, webhookSender, clock }: WebhookNeeds): Handler<"createWebhook"> =>
  async ({ input, caller }) => {
    const url = new URL(input.url);
    url.hash = "";
    if (!webhookSender.accepts(url))
      throw new ServiceError(
        "invalidRequest",
        "`url` must be an https URL on the public internet, on the usual port and without a user name, unless it is in a network that the operator allows.",
      );
    const secret = newSecret();
    const created = await webhooks.create({
      accountId: caller.account.id,
      keyId: keyIdOf(caller),
      url: url.href,
      secret,
      now: clock.now(),
    });
    if (created === "noAccount") throw accountDeleted();
    if (created === "noKey")
      throw new ServiceError("unauthorized", "This API key was revoked.", { reason: "keyUnknown" });
    if (created === "full")
      throw new ServiceError(
        "limitReached",
        `You already have ${webhooksPerAccount} webhook endpoints, the maximum. Delete one you don't need, then add the new one.`,
        { reason: "webhooksUsed" },
      );
    return { webhook: created, secret: writeSecret(secret) };
  };

const redeliverWebhook =
  ({ webhooks, clock }: WebhookNeeds): Handler<"redeliverWebhook"> =>
  async ({ input: { id, deliveryId }, caller }) => {
    const answer = await webhooks.redeliver(caller.account.id, id, deliveryId, clock.now());
    switch (answer) {
      case "waiting":
        return { id };
      case "busy":
        throw new ServiceError(
          "rateLimited",
          `At most ${redeliveriesPerMinute} events a minute are sent to an endpoint again. Try again in a minute.`,
          { retryAfter: 60 },
        );
      case "disabled":
        throw new ServiceError(
          "invalidRequest",
          "This endpoint is disabled. Enable it: then everything that it missed is sent.",
        );
      case "unknown":
        throw new ServiceError("notFound", "You have no webhook endpoint with this id, or it has no such event.");
    }
  };

const keyIdOf = (caller: AccountCaller): string | null => (caller.kind === "key" ? caller.key.id : null);

const newSecret = (): Buffer => randomBytes(32);

/** Writes a secret in the format of Standard Webhooks. */
const writeSecret = (secret: Buffer): string => `whsec_${secret.toString("base64")}`;
