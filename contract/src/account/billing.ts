import * as z from "zod";
import { ofPerson, operation } from "../operation.ts";
import { PlanName } from "./usage.ts";

const PaidPlan = z.enum(["hobby", "creator"]);
const Destination = z.object({ url: z.url().meta({ description: "Where the person goes on, in the browser." }) });

export const getBilling = operation({
  ...ofPerson,
  summary: "Get the subscription",
  description: "The plan and how it is paid.",
  http: { method: "GET", path: "/billing" },
  output: z.object({
    plan: PlanName,
    status: z.enum(["none", "active", "pastDue", "canceled"]).meta({
      description: "none: no payment yet; pastDue: the last payment failed, and the plan continues for now.",
    }),
    periodEnd: z.iso.datetime().nullable().meta({
      description:
        "When the paid period ends; the allowance resets with the payment for the next one. null while nothing is paid.",
    }),
    cancelsAt: z.iso.datetime().nullable().meta({ description: "When the plan ends, if it was canceled." }),
    manageable: z
      .boolean()
      .meta({ description: "Whether there is a customer portal for invoices, card and canceling." }),
  }),
});

export const startCheckout = operation({
  ...ofPerson,
  summary: "Begin to pay for a plan",
  description:
    "Leads to the pay page; a live subscription is changed on a page that confirms it, instead of made a second time.",
  http: { method: "POST", path: "/billing/checkout" },
  input: z.strictObject({ plan: PaidPlan }),
  output: Destination,
  errors: ["upstreamError"],
  example: { plan: "creator" },
});

export const openBillingPortal = operation({
  ...ofPerson,
  summary: "Open the customer portal",
  description: "Leads to invoices, card, change of plan and canceling.",
  http: { method: "POST", path: "/billing/portal" },
  input: z.strictObject({}),
  output: Destination,
  errors: ["notFound", "upstreamError"],
});
