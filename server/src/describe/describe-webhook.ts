import type { Webhook, WebhookDelivery } from "@reelscript/contract";
import type { StoredDelivery, StoredWebhook } from "../ports.ts";

/** An endpoint as its owner sees it; the secret is never shown again. */
export const describeWebhook = ({
  createdAt,
  failingSince,
  disabledAt,
  formerSecretUntil,
  last,
  ...webhook
}: StoredWebhook): Webhook => ({
  ...webhook,
  createdAt: createdAt.toISOString(),
  failingSince: failingSince?.toISOString() ?? null,
  disabledAt: disabledAt?.toISOString() ?? null,
  formerSecretUntil: formerSecretUntil?.toISOString() ?? null,
  last: last && { ...last, at: last.at.toISOString() },
});

export const describeDelivery = ({
  createdAt,
  attemptedAt,
  nextAttemptAt,
  ...delivery
}: StoredDelivery): WebhookDelivery => ({
  ...delivery,
  createdAt: createdAt.toISOString(),
  attemptedAt: attemptedAt?.toISOString() ?? null,
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
});
