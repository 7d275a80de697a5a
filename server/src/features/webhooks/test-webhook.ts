import { ServiceError } from "@reelscript/contract";
import type { Clock, Webhooks } from "../../ports.ts";
import { noSuchWebhook } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

export const testWebhook =
  ({ webhooks, clock }: { readonly webhooks: Webhooks; readonly clock: Clock }): Handler<"testWebhook"> =>
  async ({ input: { id }, caller }) => {
    const answer = await webhooks.test(caller.account.id, id, clock.now());
    if (answer === "unknown") throw noSuchWebhook();
    if (answer === "busy")
      throw new ServiceError("rateLimited", "Test events are on their way. Try again in a few seconds.", {
        retryAfter: 10,
      });
    return { id };
  };
