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
const billing = {
  plan: "free",
  status: "none",
  periodEnd: null,
  cancelsAt: null,
  manageable: false,
  sells: true,
} as const;
const steps = (now: Parameters<typeof planStep>[2]) =>
  plans.map((one) => {
    const step = planStep(one, plans, now);
    return step && ("plan" in step ? `${step.kind} ${step.plan}` : step.kind);
  });

describe("what may be done with a plan", () => {
  test("is upgrading from Free, after a plan's end too", () => {
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

  test("is never paying less than granted, or ending what nobody pays", () =>
    expect(steps({ ...billing, plan: "creator" })).toEqual([undefined, undefined, "current"]));

  test("is nothing where the operator sets plans", () =>
    expect(steps({ ...billing, sells: false })).toEqual(["current", undefined, undefined]));
});

test("the plans that have more are named from the next on", () => {
  expect(largerPlans(plans, "free").map(({ id }) => id)).toEqual(["hobby", "creator"]);
  expect(largerPlans(plans, "creator")).toEqual([]);
});

describe("the sentence of a full allowance", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const later = "2026-12-03T12:00:00Z";
  const past = "2026-11-20T12:00:00Z";

  test.each([
    [
      "says when they renew, and how to continue now",
      { limit: 1_250, resetsAt: later },
      ["Creator"],
      "You’ve used all 1,250 transcriptions. They renew on Dec 3. Upgrade to Creator to continue now.",
    ],
    [
      "offers nothing larger where nothing is",
      { limit: 5, resetsAt: later },
      [],
      "You’ve used all 5 transcriptions. They renew on Dec 3.",
    ],
    [
      "promises no day on Free",
      { limit: 10, resetsAt: null },
      ["Hobby", "Creator"],
      "You’ve used all 10 free transcriptions. Upgrade to continue.",
    ],
    [
      "promises no day that has passed",
      { limit: 250, resetsAt: past },
      ["Creator"],
      "You’ve used all 250 transcriptions. Pay the open invoice to continue.",
    ],
    [
      "names the key that used them",
      { name: "“staging”", limit: 250, resetsAt: later },
      [],
      "“staging” has used all 250 transcriptions. They renew on Dec 3.",
    ],
    [
      "speaks of several in the plural",
      { name: "Both", plural: true, limit: 10, resetsAt: null },
      [],
      "Both have used all 10 free transcriptions.",
    ],
  ])("%s", (_what, allowance, larger, sentence) => expect(quotaSentence(allowance, larger, now)).toBe(sentence));
});
