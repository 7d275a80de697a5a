import { plans } from "@reelscript/contract";
import type Stripe from "stripe";
import type { PaidPlan } from "../../ports.ts";

export const lookupKeys: Readonly<Record<PaidPlan, string>> = {
  hobby: "reelscript_hobby_monthly",
  creator: "reelscript_creator_monthly",
};

export const paidPlans = Object.keys(lookupKeys) as PaidPlan[]; // safe: the record has these keys and no others

/** Stripe's prices of the plans. Both methods throw what Stripe's client throws. */
export interface StripePrices {
  /** Returns a plan's current price. Throws an `Error` for the operator if it differs from the table of plans. */
  readonly priceOf: (plan: PaidPlan) => Promise<Stripe.Price>;
  /** The plan of a price; earlier prices share its product. `undefined` if there is none. */
  readonly planOf: (price: Stripe.Price) => Promise<PaidPlan | undefined>;
}

const keptMilliseconds = 10 * 60 * 1_000;

/** The prices of the plans, found by their lookup keys, so that there is nothing to set up here. */
export function createStripePrices(stripe: Stripe): StripePrices {
  let cachedPrices: { readonly until: number; readonly prices: Promise<Stripe.Price[]> } | undefined;
  const current = async (): Promise<Stripe.Price[]> => {
    if (cachedPrices === undefined || cachedPrices.until < performance.now()) {
      const list = stripe.prices.list({ lookup_keys: Object.values(lookupKeys), active: true });
      const prices = list.then(({ data }) => data);
      prices.catch(() => (cachedPrices = undefined));
      cachedPrices = { until: performance.now() + keptMilliseconds, prices };
    }
    return cachedPrices.prices;
  };
  return {
    async priceOf(plan) {
      const price = (await current()).find(({ lookup_key }) => lookup_key === lookupKeys[plan]);
      const problem = problemOf(price, plan);
      if (price === undefined || problem !== undefined) {
        cachedPrices = undefined;
        throw new Error(`Stripe's price with the lookup key ${lookupKeys[plan]} ${problem}; see docs/operations.md`);
      }
      return price;
    },
    async planOf(price) {
      const prices = await current();
      const same =
        prices.find(({ id }) => id === price.id) ?? prices.find((one) => productOf(one) === productOf(price));
      const ofKey = (key: string | null | undefined) => paidPlans.find((plan) => lookupKeys[plan] === key);
      return ofKey(price.lookup_key) ?? ofKey(same?.lookup_key);
    },
  };
}

export const productOf = ({ product }: Stripe.Price): string => (typeof product === "string" ? product : product.id);

function problemOf(price: Stripe.Price | undefined, plan: PaidPlan): string | undefined {
  if (price === undefined) return "does not exist or is not active";
  const { unit_amount, currency, recurring } = price;
  const cents = plans[plan].dollarsPerMonth * 100;
  if (unit_amount !== cents || currency !== "usd")
    return `is ${unit_amount} cents ${currency}, but the plan ${plan} costs ${cents} cents usd`;
  if (recurring?.interval !== "month" || recurring.interval_count !== 1) return "does not recur every month";
  return undefined;
}
