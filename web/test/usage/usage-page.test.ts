import { describe, expect, test } from "vitest";
import { largerPlans, planStep, type Plan } from "../../src/pages/usage/plan-cards.tsx";
import { quotaSentence } from "../../src/format.ts";

const plan = (id: Plan["id"], dollarsPerMonth: number, limit: number): Plan => ({
  id,
  name: id,
  dollarsPerMonth,
  transcriptions: { limit, period: "month" },
  posts: { limit: null, period: "month" },
});
const plans = [plan("free", 0, 1), plan("hobby", 10, 2), plan("creator", 29, 3)];
const billing = { plan: "free", status: "none", periodEnd: null, cancelsAt: null, manageable: false } as const;
const steps = (now: Parameters<typeof planStep>[2]) =>
  plans.map((one) => {
    const step = planStep(one, plans, now);
    return step && ("plan" in step ? `${step.kind} ${step.plan}` : step.kind);
  });

describe("what may be done with a plan", () => {
  test("is to pay for more on Free, also after a plan has ended", () => {
    expect(steps(billing)).toEqual(["current", "upgrade hobby", "upgrade creator"]);
    expect(steps({ ...billing, status: "canceled" })).toEqual(["current", "upgrade hobby", "upgrade creator"]);
  });

  test("is to go up, down or out of what is paid", () => {
    expect(steps({ ...billing, plan: "hobby", status: "active" })).toEqual(["end", "current", "upgrade creator"]);
    expect(steps({ ...billing, plan: "creator", status: "pastDue" })).toEqual(["end", "change hobby", "current"]);
  });

  test("is not to end a plan that ends already", () =>
    expect(steps({ ...billing, plan: "hobby", status: "active", cancelsAt: "2026-12-03T00:00:00Z" })).toEqual([
      undefined,
      "current",
      "upgrade creator",
    ]));

  test("is never to pay for less than the operator gave, or to end what nobody pays for", () =>
    expect(steps({ ...billing, plan: "creator" })).toEqual([undefined, undefined, "current"]));
});

test("the plans that have more are named from the next on", () => {
  expect(largerPlans(plans, "free").map(({ id }) => id)).toEqual(["hobby", "creator"]);
  expect(largerPlans(plans, "creator")).toEqual([]);
});

describe("the sentence of a full allowance", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const [later, past] = ["2026-12-03T12:00:00Z", "2026-11-20T12:00:00Z"];

  test.each([
    ["says when it works again, and how at once", 1_250, later, ["Creator"], "on Dec 3, or now with Creator"],
    ["offers nothing larger where nothing is", 5, later, [], "on Dec 3"],
    ["promises no day on Free", 10, null, ["Hobby", "Creator"], "now with Hobby or Creator"],
    ["promises no day that has passed", 250, past, ["Creator"], "when the open payment is paid, or now with Creator"],
  ])("%s", (_what, limit, resetsAt, larger, again) =>
    expect(quotaSentence({ name: "“staging”", limit, resetsAt }, larger, now)).toBe(
      `“staging” has used all ${limit.toLocaleString("en-US")}. It works again ${again}.`,
    ),
  );

  test("speaks of several in the plural", () =>
    expect(quotaSentence({ name: "Both", plural: true, limit: 10, resetsAt: null }, [], now)).toBe(
      "Both have used all 10.",
    ));
});
