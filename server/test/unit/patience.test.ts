import { ServiceError } from "@reelscript/contract";
import { expect, test } from "vitest";
import type { RateBucket, RateLimits } from "../../src/ports.ts";
import type { CallContext, HandlerContext, Handlers, Repeats } from "../../src/run/handler.ts";
import { patiences } from "../../src/run/patience.ts";
import { createPlaces } from "../../src/run/admission.ts";
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

/** The run with an operation that anybody may call. */
const runOf = (handlers: Partial<Handlers>, repeats?: Repeats) =>
  createRun({
    handlers: handlers as Handlers,
    repeats: { getPlans: repeats },
    rateLimits,
    limits,
    sessionLimits: limits,
    idempotency: unused,
    places: createPlaces({ atATime: 2, waiting: 2 }),
    countRefused: unused,
    countFollowing: unused,
    isOperator: unused,
    longWork: unused,
    clock: { now: () => new Date() },
    onFault: unused,
    onAnswered: () => undefined,
  });

const findNothing = async (): Promise<never> => {
  throw new ServiceError("notFound", "Nothing is here.");
};

const stranger = { kind: "anonymous", address: "203.0.113.1" } as const;
const context: CallContext = {
  door: "rest",
  signal: new AbortController().signal,
  patience: patiences.request,
};

test("a call lasts as long as its door waits, or longer if its caller is more patient", async () => {
  const calls: HandlerContext[] = [];
  const handle = async (call: HandlerContext): Promise<never> => {
    calls.push(call);
    return findNothing();
  };
  const run = runOf({ getPlans: handle });
  for (const patience of [patiences.request, patiences.asynchronous, patiences.follower])
    await run.call("getPlans", () => ({}), stranger, { ...context, patience });
  expect(calls.map(({ begun, deadline }) => Math.round((deadline - begun) / 1_000))).toEqual([150, 150, 600]);
  expect(calls.map(({ patience }) => patience)).toEqual([
    patiences.request,
    patiences.asynchronous,
    patiences.follower,
  ]);
});

test("the run asks whether a call is a repeat only for callers whose repeats don't count", async () => {
  const received: unknown[] = [];
  const repeats: Repeats = {
    async isRepeat(receive) {
      received.push(receive());
      return false;
    },
    renew: unused,
  };
  const run = runOf({ getPlans: findNothing }, repeats);
  await run.call("getPlans", () => "over HTTP", stranger, context);
  await run.call("getPlans", () => "by a tool", stranger, { ...context, door: "mcp", patience: patiences.tool });
  expect(received).toEqual(["by a tool"]);
});
