import { ServiceError } from "@reelscript/contract";
import type { Biller } from "../../ports.ts";

/** Sells nothing: the operator sets the plans of accounts. */
export function createOperatorBiller(): Biller {
  const refuse = async (): Promise<never> => {
    throw new ServiceError("invalidRequest", "The operator of this service sets plans. Ask them for another one.");
  };
  return {
    sells: false,
    readEvent: () => undefined,
    startCheckout: refuse,
    openPortal: refuse,
    readSubscription: async () => undefined,
    readPayment: async () => undefined,
    cancel: async () => undefined,
  };
}
