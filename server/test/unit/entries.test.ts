import { ServiceError } from "@reelscript/contract";
import { expect, test } from "vitest";
import type { RateBucket, RateLimits } from "../../src/ports.ts";
import type { CallContext, Entries, HandlerContext } from "../../src/run/handler.ts";
import { createPlaces } from "../../src/run/places.ts";
import { createRun } from "../../src/run/run.ts";

const limits = { default: 60, transcribe: 10, bioWrite: 20, address: 600 };
const unused = (): never => {
  throw new Error("not part of this test");
};

const rateLimits = {
  take: async (_subject: string, buckets: readonly RateBucket[]) => ({
    taken: true,
    states: buckets.map((bucket) => ({ bucket, remaining: 1, resetSeconds: 60 })),
  }),
  peek: unused,
} as RateLimits;

/** The run with two operations that anybody may call. */
const runOf = (entries: Partial<Entries<string>>) =>
  createRun<string>({
    entries: entries as Entries<string>,
    rateLimits,
    limits,
    sessionLimits: limits,
    idempotency: unused,
    places: createPlaces({ atATime: 2, waiting: 2 }),
    countRefused: unused,
    longWork: unused,
    clock: { now: () => new Date() },
    onFault: unused,
    onAnswered: () => undefined,
  });

const stranger = { kind: "anonymous", address: "203.0.113.1" } as const;
const context: CallContext<string> = { door: "rest", signal: new AbortController().signal, wait: "with patience" };

test("only an operation with an entry learns how its caller waits", async () => {
  const calls: HandlerContext[] = [];
  const waitNames: string[] = [];
  const handle = async (call: HandlerContext): Promise<never> => {
    calls.push(call);
    throw new ServiceError("notFound", "Nothing is here.");
  };
  const run = runOf({
    getPlans: handle,
    getProductOverview: {
      enter({ wait }) {
        waitNames.push(wait);
        return { waitSeconds: 1_000, handle };
      },
    },
  });
  await run.call("getPlans", () => ({}), stranger, context);
  await run.call("getProductOverview", () => ({}), stranger, context);
  const fields = ["callId", "caller", "deadline", "form", "input", "media", "signal", "userAgent", "whileWaiting"];
  expect(calls.map((call) => Object.keys(call).toSorted())).toEqual([fields, fields]);
  expect(waitNames).toEqual(["with patience"]);
  const [usual = 0, longer = 0] = calls.map(({ deadline }) => deadline);
  expect(longer - usual, "a door of REST gives 150 seconds").toBeGreaterThan(840_000);
});
