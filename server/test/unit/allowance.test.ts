import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowanceOf, periodAt, postAllowanceOf } from "../../src/rules/allowance.ts";

const account = (periodAnchor: Date | null, paidPeriod: { start: Date; end: Date } | null = null) => ({
  id: "acc_1",
  email: "a@example.com",
  name: null,
  plan: periodAnchor === null ? ("free" as const) : ("hobby" as const),
  createdAt: new Date(0),
  periodAnchor,
  paidPeriod,
});

describe("a monthly period", () => {
  test.each([
    ["2026-01-31T10:00:00Z", "2026-02-15T00:00:00Z", "2026-01-31T10:00:00.000Z", "2026-02-28T10:00:00.000Z"],
    ["2026-01-31T10:00:00Z", "2026-03-01T00:00:00Z", "2026-02-28T10:00:00.000Z", "2026-03-31T10:00:00.000Z"],
    ["2024-02-29T00:00:00Z", "2025-03-01T00:00:00Z", "2025-02-28T00:00:00.000Z", "2025-03-29T00:00:00.000Z"],
    ["2026-11-21T12:00:00Z", "2026-12-21T12:00:00Z", "2026-12-21T12:00:00.000Z", "2027-01-21T12:00:00.000Z"],
    ["2026-11-21T12:00:00Z", "2026-12-21T11:59:59Z", "2026-11-21T12:00:00.000Z", "2026-12-21T12:00:00.000Z"],
  ])("from %s is, at %s, %s to %s", (anchor, now, start, end) => {
    const period = periodAt(new Date(anchor), new Date(now));
    expect([period.start.toISOString(), period.end.toISOString()]).toEqual([start, end]);
  });

  test("always contains the given moment, and adjoins the next one", () => {
    const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [anchor, now] = one <= other ? [one, other] : [other, one];
        const { start, end } = periodAt(anchor, now);
        expect(start.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(end.getTime()).toBeGreaterThan(now.getTime());
        expect(periodAt(anchor, end).start).toEqual(end);
      }),
    );
  });
});

describe("an allowance", () => {
  const now = new Date("2026-11-21T00:00:00Z");

  test("belongs to the key's slot, or to the account with account quotas", () => {
    expect(allowanceOf(account(null), 3, "key", now)).toEqual({
      subject: { accountId: "acc_1", slot: 3 },
      limit: 10,
      period: "lifetime",
      resetsAt: null,
    });
    expect(allowanceOf(account(null), 3, "account", now).subject.slot).toBe(0);
  });

  test("of a new plan is its first, even by a slow clock", () => {
    const anchor = new Date("2026-11-21T00:00:45Z");
    expect(allowanceOf(account(anchor), 1, "key", now)).toMatchObject({ period: anchor.toISOString() });
  });

  test("of a paid plan is named by its period", () => {
    expect(allowanceOf(account(new Date("2026-11-01T00:00:00Z")), 1, "key", now)).toMatchObject({
      limit: 250,
      period: "2026-11-01T00:00:00.000Z",
      resetsAt: new Date("2026-12-01T00:00:00Z"),
    });
  });

  test("that is paid counts from the payment and outranks operator's months", () => {
    const paidPeriod = { start: new Date("2026-10-05T08:00:00Z"), end: new Date("2026-11-05T08:00:00Z") };
    expect(allowanceOf(account(new Date("2026-11-01T00:00:00Z"), paidPeriod), 1, "key", now)).toMatchObject({
      limit: 250,
      period: "2026-10-05T08:00:00.000Z",
      resetsAt: paidPeriod.end,
    });
    expect(postAllowanceOf(account(null, paidPeriod), now).period).toBe("2026-10-05T08:00:00.000Z");
  });
});
