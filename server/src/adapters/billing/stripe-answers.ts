import { ServiceError } from "@reelscript/contract";
import Stripe from "stripe";

/** `undefined` for what there is not. */
export async function existing<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return undefined;
    throw error;
  });
}

/** `undefined` when it is refused for one of these parameters. */
export async function unlessAbout<Result>(parameters: object, asked: Promise<Result>): Promise<Result | undefined> {
  return asked.catch((error: unknown) => {
    const { StripeInvalidRequestError } = Stripe.errors;
    if (error instanceof StripeInvalidRequestError && Object.hasOwn(parameters, error.param ?? "")) return undefined;
    throw error;
  });
}

/** The caller learns of trouble that may pass by itself; a wrong setting is our own fault. */
export async function answered<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
    const passing = [StripeAPIError, StripeConnectionError, StripeRateLimitError];
    if (!passing.some((kind) => error instanceof kind)) throw error;
    throw new ServiceError(
      "upstreamError",
      "The payment provider isn't responding. Nothing was changed. Try again in a minute.",
      { reason: "paymentProviderUnreachable", cause: error },
    );
  }
}
