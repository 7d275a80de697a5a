import { ServiceError } from "@reelscript/contract";
import type { Biller, Billing, Clock } from "../../ports.ts";
import type { RefreshSubscription } from "./refresh-subscription.ts";

interface ReceiveEventNeeds {
  readonly billing: Billing;
  readonly biller: Biller;
  readonly refreshSubscription: RefreshSubscription;
  readonly clock: Clock;
  readonly onNotice: (error: unknown, where: string) => void;
}

/** Takes what was posted to the webhook; returns when its effect is stored, and throws `invalidRequest` for a forgery. */
export const receiveEvent =
  ({ billing, biller, refreshSubscription, clock, onNotice }: ReceiveEventNeeds) =>
  async (body: Uint8Array, signature: string): Promise<void> => {
    const event = biller.readEvent(body, signature);
    if (event === undefined)
      throw new ServiceError("invalidRequest", "The signature is missing, wrong or more than five minutes old.");
    if (await billing.knows(event.id)) return;
    const payment = (event.invoiceId !== null && (await biller.readPayment(event.invoiceId))) || null;
    const subscriptionId = event.subscriptionId ?? payment?.subscriptionId;
    if (subscriptionId !== undefined) return refreshSubscription(subscriptionId, { event, payment });
    if (event.type === "invoice.payment_failed") onNotice(new Error("A payment failed"), event.id);
    return billing.ignore(event, clock.now());
  };
