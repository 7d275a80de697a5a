import * as z from "zod";
import { ofPerson, operation } from "../operation.ts";
import { PlanName } from "./usage.ts";

const PaidPlan = z.enum(["hobby", "creator"]);
const Destination = z.object({ url: z.url().meta({ description: "Address of the page to open in the browser." }) });

export const getBilling = operation({
  ...ofPerson,
  summary: "Get the subscription",
  description: "The plan and its payment status.",
  http: { method: "GET", path: "/billing" },
  output: z.object({
    plan: PlanName,
    status: z.enum(["none", "active", "pastDue", "canceled"]).meta({
      description:
        "Payment status: `none` before the first payment, `pastDue` if the last payment failed and the plan continues for now.",
    }),
    periodEnd: z.iso.datetime().nullable().meta({
      description:
        "End of the paid period; the allowance resets with the payment for the next one. null while nothing is paid.",
    }),
    cancelsAt: z.iso.datetime().nullable().meta({ description: "Time at which the plan ends, if it was canceled." }),
    manageable: z
      .boolean()
      .meta({ description: "Whether a customer portal is available for invoices, card and cancellation." }),
    sells: z.boolean().meta({ description: "Whether plans can be bought here; otherwise the operator sets them." }),
  }),
});

export const startCheckout = operation({
  ...ofPerson,
  summary: "Start a checkout",
  description:
    "Returns the checkout page. With an active subscription, it returns a page to confirm the change, so you never pay twice.",
  http: { method: "POST", path: "/billing/checkout" },
  input: z.strictObject({ plan: PaidPlan }),
  output: Destination,
  errors: ["upstreamError"],
  example: { plan: "creator" },
});

export const openBillingPortal = operation({
  ...ofPerson,
  summary: "Open the customer portal",
  description: "Returns the page with invoices, card, plan changes and cancellation.",
  http: { method: "POST", path: "/billing/portal" },
  input: z.strictObject({}),
  output: Destination,
  errors: ["notFound", "upstreamError"],
});
