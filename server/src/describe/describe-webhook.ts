import type { Webhook } from "@reelscript/contract";
import type { StoredWebhook } from "../ports.ts";

/** An endpoint as its owner sees it; the secret is never shown again. */
export const describeWebhook = ({ createdAt, failingSince, disabledAt, last, ...webhook }: StoredWebhook): Webhook => ({
  ...webhook,
  createdAt: createdAt.toISOString(),
  failingSince: failingSince?.toISOString() ?? null,
  disabledAt: disabledAt?.toISOString() ?? null,
  last: last && { ...last, at: last.at.toISOString() },
});
